// tests/bench/duckdb_night.mjs INBOX MONTH: DuckDB loads the month's bills and job records with the types that it finds, joins lines with
// the time that jobs held their nodes, and adds up what each attempt cost, in doubles. Prints the seconds of loading, and of the rest.
import { DuckDBInstance } from '@duckdb/node-api';

const [inbox, month] = process.argv.slice(2).map((word) => word.replaceAll("'", "''"));
const instance = await DuckDBInstance.create(':memory:');
const connection = await instance.connect();
const seconds = async (...statements) => {
    const begin = process.hrtime.bigint();
    for (const statement of statements) await connection.run(statement);
    return Number(process.hrtime.bigint() - begin) / 1e9;
};

const loaded = await seconds(
    `CREATE TABLE bill AS SELECT * FROM read_csv('${inbox}/billing/*/${month}/*.csv', union_by_name = true)`,
    `CREATE TABLE job AS SELECT * FROM read_csv('${inbox}/jobs/*/${month}.txt', delim = '|', header = true)`,
    `CREATE TABLE node AS SELECT * FROM read_csv('${inbox}/reference/nodes.csv', header = true)`);
const summed = await seconds(
    // n[00001-00004], or one name
    `CREATE TABLE hold AS
     WITH listed AS (SELECT JobIDRaw, Submit, "Start", "End", NodeList, regexp_extract(NodeList, '\\[(\\d+)-', 1) AS first,
                            regexp_extract(NodeList, '-(\\d+)\\]', 1) AS last
                     FROM job)
     SELECT JobIDRaw, Submit, "Start", "End", NodeList AS node FROM listed WHERE first = ''
     UNION ALL
     SELECT JobIDRaw, Submit, "Start", "End", left(NodeList, 1) || lpad(number::VARCHAR, length(first)::INTEGER, '0')
     FROM (SELECT *, unnest(range(first::INTEGER, last::INTEGER + 1)) AS number FROM listed WHERE first <> '')`,
    `CREATE TABLE cost AS
     SELECT JobIDRaw, Submit,
            sum(EffectiveCost::DOUBLE * date_diff('second', greatest(ChargePeriodStart, "Start"), least(ChargePeriodEnd, "End"))
                / date_diff('second', ChargePeriodStart, ChargePeriodEnd)) AS amount
     FROM bill
     JOIN node ON lower(resource_id) = lower(regexp_replace(ResourceId, '^.*/', ''))
     JOIN hold USING (node)
     WHERE "Start" < ChargePeriodEnd AND "End" > ChargePeriodStart
     GROUP BY ALL`);
const attempts = (await connection.runAndReadAll('SELECT count(*) FROM cost')).getRows()[0][0];
console.log(`${loaded} ${summed} ${attempts}`);
