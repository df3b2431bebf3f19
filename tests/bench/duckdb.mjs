// tests/bench/duckdb.mjs BILL: DuckDB reads a CSV into a table in memory, with the types that it finds. Prints seconds.
import { DuckDBInstance } from '@duckdb/node-api';

const begin = process.hrtime.bigint();
const instance = await DuckDBInstance.create(':memory:');
const connection = await instance.connect();
await connection.run(`CREATE TABLE bill AS SELECT * FROM read_csv('${process.argv[2].replaceAll("'", "''")}')`);
console.log(Number(process.hrtime.bigint() - begin) / 1e9);
