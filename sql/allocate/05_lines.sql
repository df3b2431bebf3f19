-- Classes of lines, and the rules that match each class.

-- A class has the lines that no rule can distinguish, so rules are matched once per class and not
-- once per line. Rules change over time: `epoch` numbers the spans between two days on which a rule
-- or a cost centre (close/suspense.sql) changes or a closed month begins or ends.
CREATE TEMP TABLE rule_change ON COMMIT DROP AS
SELECT coalesce(array_agg(DISTINCT day ORDER BY day), '{}') AS days,
       EXISTS (SELECT FROM (SELECT match FROM mapping_rule UNION SELECT match FROM pool_rule UNION SELECT match FROM serving_fleet) AS asked
               WHERE match = 'charge_description') AS asks_description
FROM (SELECT valid_from FROM mapping_rule UNION SELECT valid_to FROM mapping_rule
      UNION SELECT valid_from FROM pool_rule UNION SELECT valid_to FROM pool_rule
      UNION SELECT valid_from FROM cost_centre UNION SELECT valid_to FROM cost_centre
      UNION SELECT unnest(ARRAY[valid_from, valid_to, statement_month, (statement_month + interval '1 month')::date]) FROM stated_cost_centre
      UNION SELECT lower(days) FROM closed_month UNION SELECT upper(days) FROM closed_month) AS change (day)
WHERE isfinite(day);

-- The chunks of the month's lines. PostgreSQL counts them before it plans the queries below.
-- Without the count it would compare each chunk with each load.
CREATE TEMP TABLE month_chunk ON COMMIT DROP AS
SELECT statement_month, file_id, first_line, chunk_id, billing_period
FROM current_chunk
JOIN month USING (statement_month);

ANALYZE month_chunk;

-- Each line with the keys of its class. The invoice is among the keys, and an invoice belongs to
-- one source and month. The month and the days of changes are constants in the query: PostgreSQL
-- skips the partitions of other months, and the servers of Citus can answer the query. kstar
-- explain may ask for the lines of some places only (night/month/month.h).
DO $$
BEGIN
    EXECUTE (SELECT format($sql$
        CREATE TEMP VIEW line AS
        SELECT invoice_key, charge_kind_key, coalesce(account_key, 0) AS account_key, coalesce(resource_key, 0) AS resource_key,
               coalesce(sku_key, 0) AS sku_key, coalesce(commitment_key, 0) AS commitment_key, coalesce(tag_set_key, 0) AS tag_set_key,
               CASE WHEN %L THEN coalesce(charge_description_key, 0) ELSE 0 END AS charge_description_key,
               width_bucket((charge_period_start AT TIME ZONE 'UTC')::date, %L::date[]) AS epoch,
               charge_period_start, charge_period_end, billed_cost, effective_cost, list_cost, contracted_cost, consumed_quantity, pricing_quantity
        FROM %s AS chunk (chunk_id, billing_period)
        JOIN billing_line USING (chunk_id, billing_period)
        WHERE billing_line.billing_period BETWEEN %L AND %L AND %s$sql$, asks_description, days,
                            -- a temporary table rules out parallel workers, and arrays rule out
                            -- Citus
                            CASE WHEN EXISTS (SELECT FROM distributed_table) THEN '(SELECT chunk_id, billing_period FROM month_chunk)'
                                 ELSE 'unnest(ARRAY(SELECT chunk_id FROM month_chunk ORDER BY chunk_id, billing_period),
                                              ARRAY(SELECT billing_period FROM month_chunk ORDER BY chunk_id, billing_period))' END,
                            statement_month, last_day,
                            CASE WHEN current_setting('kstar.asked_places', true) <> ''
                                 THEN format('node_hash = ANY (%L)', current_setting('kstar.asked_places')) ELSE 'true' END)
             FROM month CROSS JOIN rule_change);
END
$$;

-- Reads the lines once. A hash table is a third of the work of a sort, but PostgreSQL cannot know
-- that there are few classes, so sorting is off. Nested loops are off because PostgreSQL does not
-- know how many chunks there are either. Rows are made expensive to pass on, so parallel workers
-- add up their own lines first.
SET LOCAL enable_sort = off;
SET LOCAL enable_nestloop = off;
SET LOCAL parallel_tuple_cost = 100;
CREATE TEMP TABLE class_sum ON COMMIT DROP AS
SELECT invoice_key, charge_kind_key, account_key, resource_key, sku_key, commitment_key, tag_set_key, charge_description_key, epoch,
       (min(charge_period_start) AT TIME ZONE 'UTC')::date AS charge_date, min(charge_period_start) AS first_start, max(charge_period_end) AS last_end,
       count(*) AS line_count, count(*) FILTER (WHERE list_cost IS NULL) AS unlisted_count,
       sum(billed_cost) AS billed_cost, sum(effective_cost) AS effective_cost,
       sum(coalesce(list_cost, contracted_cost)) AS stated_list, sum(contracted_cost) AS stated_contracted,
       sum(effective_cost) FILTER (WHERE coalesce(list_cost, contracted_cost) IS NULL) AS effective_without_list,
       sum(effective_cost) FILTER (WHERE contracted_cost IS NULL) AS effective_without_contract,
       sum(coalesce(list_cost, effective_cost)) FILTER (WHERE contracted_cost IS NULL) AS listed_without_contract
FROM line
GROUP BY 1, 2, 3, 4, 5, 6, 7, 8, 9;
SET LOCAL enable_sort TO DEFAULT;
SET LOCAL enable_nestloop TO DEFAULT;
SET LOCAL parallel_tuple_cost TO DEFAULT;

ANALYZE class_sum;

-- The classes, numbered in the order of the columns by which charges are grouped. At list price, a
-- line without ListCost counts at its contracted cost, and a line without either at its effective
-- cost. A line without ContractedCost counts at its effective cost, or, if a commitment covers the
-- line, at its list cost: the commitment made it cheaper. An unused commitment counts as 0 then:
-- without the commitment it would not be on the bill.
CREATE TEMP TABLE line_class ON COMMIT DROP AS
SELECT row_number() OVER (ORDER BY invoice_key, charge_part, closed_month, charge_kind_key, commitment_key, provider_name, service_name,
                                   service_category, sku_id, account_key, sku_key, resource_key, tag_set_key, charge_description_key, epoch) AS class_id,
       class.*
FROM (SELECT class_sum.*, source, closed_month.statement_month AS closed_month,
             CASE WHEN resource_id IS NULL THEN resource_key ELSE min(resource_key) OVER (PARTITION BY lower(resource_id)) END AS node_key,
             charge_category, charge_class, commitment_discount_status, capacity_reservation_status, commitment_discount_id,
             resource_id, resource_name, tags, invoice_issuer_name, provider_name, service_category, service_name, sku_id,
             billing_account_id, sub_account_id, charge_description,
             seconds_of_unit(consumed_unit) AS consumed_unit_seconds, seconds_of_unit(pricing_unit) AS pricing_unit_seconds,
             CASE WHEN charge_category = 'Credit'     THEN 'credits'
                  WHEN charge_category = 'Adjustment' THEN 'charge_adjustments'
                  WHEN service_category IN ('Compute', 'AI and Machine Learning') AND (is_time_unit(consumed_unit) OR is_time_unit(pricing_unit))
                      THEN 'hardware'
                  ELSE 'fees' END AS charge_part,
             pricing_category IS NOT DISTINCT FROM 'Committed' OR commitment_discount_id IS NOT NULL OR capacity_reservation_id IS NOT NULL AS is_committed,
             pricing_category IS NOT DISTINCT FROM 'Dynamic' AS is_spot, is_unused, is_covered,
             coalesce(stated_list, 0) + CASE WHEN is_unused THEN 0 ELSE coalesce(effective_without_list, 0) END AS list_cost,
             coalesce(stated_contracted, 0)
                 + CASE WHEN is_unused THEN 0 ELSE coalesce(CASE WHEN is_covered THEN listed_without_contract ELSE effective_without_contract END, 0) END AS contracted_cost
      FROM class_sum
      JOIN invoice USING (invoice_key)
      JOIN charge_kind USING (charge_kind_key)
      LEFT JOIN account USING (account_key)
      LEFT JOIN resource USING (resource_key)
      LEFT JOIN sku USING (sku_key)
      LEFT JOIN commitment USING (commitment_key)
      LEFT JOIN tag_set USING (tag_set_key)
      LEFT JOIN charge_description USING (charge_description_key)
      LEFT JOIN closed_month ON closed_month.statement_month = date_trunc('month', charge_date)::date
      CROSS JOIN LATERAL (SELECT charge_category = 'Usage' AND commitment_discount_status IS NOT DISTINCT FROM 'Unused',
                                 charge_category = 'Usage' AND (commitment_discount_status = 'Used' OR pricing_category = 'Committed') IS TRUE) AS commitment_use (is_unused, is_covered)) AS class;

CREATE UNIQUE INDEX ON line_class (class_id);
ANALYZE line_class;

-- The time that the lines bill. The readers fetch held time of this span only.
CREATE TEMP TABLE line_span ON COMMIT DROP AS
SELECT coalesce(min(first_start), '-infinity') AS lines_from, coalesce(max(last_end), '-infinity') AS lines_to FROM line_class;

-- What rules and fleets (results/15_serving.sql) match in a class: one row per attribute. Other
-- attributes have no row.
CREATE TEMP TABLE class_attribute ON COMMIT DROP AS
WITH asked AS (
    SELECT match FROM mapping_rule UNION SELECT match FROM pool_rule UNION SELECT match FROM serving_fleet
)
SELECT class_id, charge_date AS day, match, value
FROM line_class
CROSS JOIN LATERAL (VALUES
    ('sub_account_id', sub_account_id), ('billing_account_id', billing_account_id), ('service_name', service_name),
    ('service_category', service_category), ('resource_id', resource_id), ('resource_name', resource_name),
    ('sku_id', sku_id), ('charge_category', charge_category), ('charge_description', charge_description),
    ('commitment_discount_id', commitment_discount_id), ('commitment_discount_status', commitment_discount_status),
    ('capacity_reservation_status', capacity_reservation_status), ('invoice_issuer_name', invoice_issuer_name),
    ('source', source)) AS attribute (match, value)
WHERE value IS NOT NULL AND match IN (SELECT match FROM asked)
UNION ALL
SELECT class_id, charge_date, match, tags ->> substr(match, 5)
FROM line_class
JOIN asked ON match LIKE 'tag:%' AND tags ->> substr(match, 5) IS NOT NULL;

ANALYZE class_attribute;

-- Makes the table `chosen`: for each key of the table of attributes, the target of the first rule
-- that matches. Each pattern is compared once with each distinct value. Comparing all rules with
-- all attributes would take the product of both.
CREATE OR REPLACE FUNCTION pg_temp.choose(chosen text, target text, rules text, key text, attributes text) RETURNS void
LANGUAGE plpgsql AS $$
BEGIN
    EXECUTE format('CREATE TEMP TABLE rule_match ON COMMIT DROP AS
                    SELECT rule.*, value FROM %I AS rule JOIN (SELECT DISTINCT match, value FROM %I) AS asked USING (match)
                    WHERE value LIKE glob_to_like(pattern)', rules, attributes);
    ANALYZE rule_match;
    EXECUTE format('CREATE TEMP TABLE %1$I ON COMMIT DROP AS
                    SELECT DISTINCT ON (%2$I) %2$I, %3$I FROM rule_match JOIN %4$I USING (match, value)
                    WHERE valid_from <= day AND day < valid_to
                    ORDER BY %2$I, priority, declared_from, %3$I', chosen, key, target, attributes);
    EXECUTE format('ANALYZE %I', chosen);
    DROP TABLE rule_match;
END
$$;

SELECT pg_temp.choose('class_pool', 'pool', 'pool_rule', 'class_id', 'class_attribute');               -- rule 3
SELECT pg_temp.choose('class_cost_centre', 'cost_centre', 'mapping_rule', 'class_id', 'class_attribute'); -- rule 4
