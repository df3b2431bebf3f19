-- Parts of lines, of pools and tax, and of internal charges, with the rules that decided, as far as
-- they were asked for (explained.sql). Runs after the merge. How pools, tax and internal charges
-- were split is read from the published statement.

-- How a rule is cited: by its file, and by what distinguishes its row from others.
CREATE OR REPLACE FUNCTION pg_temp.rule_place(file text, priority integer, match text, pattern text, valid_from date) RETURNS text
LANGUAGE sql IMMUTABLE
RETURN format('%s: priority %s, %s = %s%s', file, priority, match, pattern,
              CASE WHEN isfinite(valid_from) THEN ', from ' || valid_from ELSE '' END);

CREATE TEMP TABLE part_class ON COMMIT DROP AS
SELECT DISTINCT class_id FROM line_part;

-- Rules 3 and 4 of a class, as in 05_lines.sql.
CREATE TEMP TABLE class_declared ON COMMIT DROP AS
(SELECT DISTINCT ON (class_id) class_id, 3::smallint AS rule,
        pg_temp.rule_place('pool_rules.csv', priority, match, pattern, declared_from) AS declared
 FROM part_class
 JOIN class_attribute USING (class_id)
 JOIN pool_rule USING (match)
 WHERE value LIKE glob_to_like(pattern) AND valid_from <= day AND day < valid_to
 ORDER BY class_id, priority, declared_from, pool)
UNION ALL
(SELECT DISTINCT ON (class_id) class_id, 4, pg_temp.rule_place('mapping_rules.csv', priority, match, pattern, declared_from)
 FROM part_class
 JOIN class_attribute USING (class_id)
 JOIN mapping_rule USING (match)
 WHERE value LIKE glob_to_like(pattern) AND valid_from <= day AND day < valid_to
 ORDER BY class_id, priority, declared_from, cost_centre);

-- The parts of pools and tax, each with what was divided and the weights of all its parts. Part 0
-- of a tax is its recoverable share of the whole tax. The others divide the rest. Parts of
-- transfers follow.
CREATE TEMP TABLE shared_of_month ON COMMIT DROP AS
WITH part AS (
    SELECT shared_part.*, paying_centre
    FROM shared_part
    JOIN month USING (statement_month)
    LEFT JOIN attempt USING (attempt_id)
    CROSS JOIN LATERAL (SELECT CASE target WHEN 'job' THEN attempt.cost_centre WHEN 'cost centre' THEN shared_part.cost_centre END) AS payer (paying_centre)
    WHERE pg_temp.is_asked('shared', target, attempt_id, NULL, paying_centre, pool)
), whole AS (
    SELECT invoice_key, shared_kind, pool, coalesce(closed_month, 'infinity') AS of_month, recovered,
           sum(sum(billed_cost)) OVER up_to AS whole_billed_cost, sum(sum(effective_cost)) OVER up_to AS whole_effective_cost,
           CASE WHEN recovered THEN 1 ELSE sum(weight) END AS weights, bool_or(recovered) OVER of_one AS has_recovered
    FROM shared_part
    JOIN month USING (statement_month)
    CROSS JOIN LATERAL (SELECT shared_kind = 'tax' AND part = 0) AS of_tax (recovered)
    WHERE (invoice_key, shared_kind, pool) IN (SELECT invoice_key, shared_kind, pool FROM part)
    GROUP BY 1, 2, 3, 4, 5
    WINDOW of_one AS (PARTITION BY invoice_key, shared_kind, pool, coalesce(closed_month, 'infinity')), up_to AS (of_one ORDER BY recovered)
)
SELECT part.*, whole_billed_cost, whole_effective_cost, recovered, has_recovered, weights
FROM part
JOIN whole ON (whole.invoice_key, whole.shared_kind, whole.pool, of_month, recovered)
            = (part.invoice_key, part.shared_kind, part.pool, coalesce(part.closed_month, 'infinity'), part.shared_kind = 'tax' AND part.part = 0);

-- The weight by which a transfer is split (17_internal.sql): seconds of the attempt in the month.
-- Seconds on nodes with an internal rate are those of all rates together. If an attempt pays
-- several rates, the amounts are the weights of each.
CREATE OR REPLACE FUNCTION pg_temp.transfer_weight(charge text, wall_seconds numeric, node_seconds numeric, internal_node_seconds numeric) RETURNS numeric
LANGUAGE sql IMMUTABLE
RETURN CASE charge WHEN 'internal_overhead' THEN wall_seconds WHEN 'engineering_overhead' THEN node_seconds ELSE internal_node_seconds END;

-- An attempt may have several components of one transfer. No nested loops: the planner cannot
-- foresee whether few attempts take part or all.
SET LOCAL enable_nestloop = off;
CREATE TEMP TABLE transferred_in_month ON COMMIT DROP AS
WITH transfer AS MATERIALIZED (
    SELECT statement_month, sum_id, charge, pool, cost_centre, reason, dense_rank() OVER (ORDER BY charge, pool) AS transfer_no
    FROM statement_sum
    JOIN month USING (statement_month)
    CROSS JOIN LATERAL (SELECT internal_charge(component)) AS internal (charge)
    WHERE block = 'internal'
), detail AS NOT MATERIALIZED (
    -- Each table is filtered by month: only a range of the rows of all years is read.
    SELECT statement_month, sum_id, attempt_id, amount FROM statement_detail WHERE statement_month = (SELECT statement_month FROM month)
), part AS (
    SELECT transfer_no, charge, transfer.pool, detail.attempt_id, transfer.cost_centre, transfer.reason, sum(detail.amount) AS amount
    FROM transfer
    JOIN detail USING (statement_month, sum_id)
    WHERE pg_temp.is_asked('internal', CASE WHEN detail.attempt_id IS NULL THEN 'carrier' ELSE 'job' END, detail.attempt_id, NULL,
                           transfer.cost_centre, transfer.pool)
    GROUP BY 1, 2, 3, 4, 5, 6
), taker AS (
    SELECT transfer_no, charge, detail.attempt_id, sum(detail.amount) AS amount,
           charge = 'internal_hardware' AND count(*) OVER (PARTITION BY charge, detail.attempt_id) > 1 AS pays_several
    FROM transfer
    JOIN detail USING (statement_month, sum_id)
    WHERE detail.attempt_id IS NOT NULL AND (charge = 'internal_hardware' OR transfer_no IN (SELECT transfer_no FROM part))
    GROUP BY 1, 2, 3
), result AS (
    SELECT attempt_id, wall_seconds, node_seconds, internal_node_seconds FROM job_result WHERE statement_month = (SELECT statement_month FROM month)
), whole AS (
    SELECT transfer_no, bool_or(pays_several) AS by_amount, sum(amount) AS whole_amount,
           sum(pg_temp.transfer_weight(charge, wall_seconds, node_seconds, internal_node_seconds)) AS seconds
    FROM taker
    JOIN result USING (attempt_id)
    GROUP BY 1
)
SELECT charge, pool, attempt_id, cost_centre, reason, amount,
       CASE WHEN attempt_id IS NULL THEN NULL WHEN by_amount THEN amount
            ELSE pg_temp.transfer_weight(charge, wall_seconds, node_seconds, internal_node_seconds) END AS weight,
       CASE WHEN by_amount THEN whole_amount ELSE whole.seconds END AS weights, whole_amount
FROM part
LEFT JOIN result USING (attempt_id)
LEFT JOIN whole USING (transfer_no);
SET LOCAL enable_nestloop TO DEFAULT;

-- The jobs that take part, with the rule that gave their cost centre (08_jobs.sql). On several
-- servers the jobs' records are fetched before rules are matched.
CREATE TEMP TABLE named_part_attempt ON COMMIT DROP AS
SELECT attempt_id FROM line_part WHERE attempt_id IS NOT NULL
UNION
SELECT attempt_id FROM shared_of_month WHERE attempt_id IS NOT NULL
UNION
SELECT attempt_id FROM transferred_in_month WHERE attempt_id IS NOT NULL;

CREATE TEMP TABLE part_record ON COMMIT DROP AS
SELECT attempt_id, cluster, job_id, start_time
FROM named_part_attempt
JOIN kstar.job USING (attempt_id);

ANALYZE part_record;

CREATE TEMP TABLE part_job ON COMMIT DROP AS
SELECT DISTINCT ON (attempt_id) attempt_id, job.cluster, job.job_id, attempt_cost_centre.cost_centre,
       CASE WHEN mapping_rule.cost_centre IS NOT NULL
            THEN pg_temp.rule_place('mapping_rules.csv', priority, match, pattern, declared_from) END AS centre_declared
FROM part_record AS job
LEFT JOIN attempt_cost_centre USING (attempt_id)
LEFT JOIN (pg_temp.job_attribute JOIN mapping_rule USING (match)) USING (attempt_id, cost_centre)
WHERE mapping_rule.cost_centre IS NULL
   OR (value LIKE glob_to_like(pattern) AND valid_from <= job.start_time::date AND job.start_time::date < valid_to)
ORDER BY attempt_id, priority, declared_from;

CREATE TEMP TABLE refund_declared ON COMMIT DROP AS
SELECT DISTINCT ON (attempt_id) attempt_id,
       'refund_rules.csv: ' || refund_rule.state || coalesce(', cluster ' || nullif(refund_rule.cluster, ''), '')
       || CASE WHEN isfinite(declared_from) THEN ', from ' || declared_from ELSE '' END AS declared
FROM refund
JOIN attempt USING (attempt_id)
JOIN refund_rule ON refund_rule.state = attempt.state AND refund_rule.cluster IN ('', attempt.cluster)
                AND valid_from <= start_time::date AND start_time::date < valid_to
ORDER BY attempt_id, refund_rule.cluster = '', declared_from;

-- Where it is declared which node a resource was in the time that its lines bill, give or take an
-- hour.
CREATE TEMP TABLE node_declared ON COMMIT DROP AS
SELECT node_key, string_agg(DISTINCT coalesce('delivered nodes: ' || node_resource.source, 'nodes.csv') || ': ' || cluster || '/' || node, '; ') AS declared
FROM node_resource
JOIN (SELECT node_key, min(first_start) AS billed_from, max(last_end) AS billed_to FROM line_class GROUP BY node_key) AS billed ON node_key = resource_key
WHERE valid_from < billed_to + interval '1 hour' AND valid_to > billed_from - interval '1 hour'
GROUP BY node_key;

CREATE TEMP TABLE part_file ON COMMIT DROP AS
SELECT file_id, delivered_file(label, path) AS file
FROM source_file
JOIN delivery USING (delivery_id)
WHERE file_id IN (SELECT file_id FROM month_chunk UNION SELECT file_id FROM quarantined_money JOIN month USING (statement_month));

ANALYZE line_part, class_declared, part_job, refund_declared, node_declared, part_file;

INSERT INTO explained
SELECT 'line', line_class.source, invoice.invoice_issuer_name, invoice.invoice_id, invoice.billing_currency, file, line_number, row_in_record,
       charge_start, charge_end, resource_id, service_name, sku_id, charge_category, charge_part, line_billed, line_effective, line_list,
       line_contracted, part.rule,
       CASE part.rule
           WHEN 0 THEN 'ChargeCategory ' || charge_category
           WHEN 1 THEN CASE WHEN EXISTS (SELECT FROM class_job
                                         WHERE class_job.class_id = part.class_id AND class_job.attempt_id = part.attempt_id AND is_own)
                            THEN 'job records: the resource is the job' ELSE 'settings.csv: job_tag_key ' || job_tag_key END
           WHEN 2 THEN node_declared.declared
           ELSE class_declared.declared
       END || CASE WHEN part.target = 'pool' AND part.attempt_id IS NOT NULL THEN '; ' || refund_declared.declared ELSE '' END,
       part.target, part_job.cluster, job_id, part.attempt_id,
       CASE part.target WHEN 'job' THEN part_job.cost_centre WHEN 'cost centre' THEN part.cost_centre END,
       CASE part.target WHEN 'job' THEN part_job.centre_declared END,
       part.pool, part.reason, held_from, held_to, weight, weights, seconds, is_priced,
       trim_scale(part.billed_cost), trim_scale(part.effective_cost), trim_scale(part.list_cost), trim_scale(part.contracted_cost),
       exchange_rate, trim_scale(part.effective_cost * exchange_rate)
FROM line_part AS part
CROSS JOIN month
JOIN line_class USING (class_id)
JOIN invoice USING (invoice_key)
JOIN statement_invoice USING (statement_month, invoice_key)
JOIN part_file USING (file_id)
LEFT JOIN class_declared ON class_declared.class_id = part.class_id AND class_declared.rule = part.rule
LEFT JOIN node_declared USING (node_key)
LEFT JOIN part_job ON part_job.attempt_id = part.attempt_id
LEFT JOIN refund_declared ON refund_declared.attempt_id = part.attempt_id
WHERE pg_temp.is_asked('line', part.target, part.attempt_id, charge_part,
                       CASE part.target WHEN 'job' THEN part_job.cost_centre WHEN 'cost centre' THEN part.cost_centre END, part.pool);

-- Quarantined rows whose money could be read.
INSERT INTO explained (kind, source, invoice_issuer, invoice_id, billing_currency, file, line, line_in_record, whole_billed_cost,
                       whole_effective_cost, rule, target, reason, billed_cost, effective_cost, exchange_rate, amount)
SELECT 'line', invoice.source, invoice.invoice_issuer_name, invoice.invoice_id, invoice.billing_currency, file, line_number, 0,
       quarantined.billed_cost, quarantined.effective_cost, 5, 'unallocated', 'quarantined', quarantined.billed_cost, quarantined.effective_cost,
       exchange_rate, quarantined.effective_cost * exchange_rate
FROM quarantined_money AS quarantined
JOIN current_load USING (load_id)
JOIN month USING (statement_month)
JOIN invoice USING (invoice_key)
JOIN statement_invoice USING (statement_month, invoice_key)
JOIN part_file USING (file_id)
WHERE is_read;

-- Pools and tax, as they were split.
INSERT INTO explained (kind, source, invoice_issuer, invoice_id, billing_currency, whole_billed_cost, whole_effective_cost, rule_declared,
                       target, cluster, job_id, attempt_id, cost_centre, centre_declared, pool, reason, weight, weights, billed_cost, effective_cost,
                       exchange_rate, amount)
SELECT 'shared', invoice.source, invoice.invoice_issuer_name, invoice.invoice_id, invoice.billing_currency, whole_billed_cost, whole_effective_cost,
       CASE WHEN shared_kind = 'tax' THEN CASE WHEN recovered THEN 'tax_rules.csv: recoverable' WHEN has_recovered THEN 'tax_rules.csv: the rest' END
            WHEN shared.closed_month IS NOT NULL
                 AND (shared.closed_month, pool) IN (SELECT statement_month, pool FROM kstar.shared_part WHERE closed_month IS NULL)
                THEN 'as the closed ' || to_char(shared.closed_month, 'YYYY-MM') || ' was split'
            ELSE pool_declared.declared END,
       target, part_job.cluster, job_id, shared.attempt_id, paying_centre, part_job.centre_declared,
       pool, coalesce(reason, gl_account), weight, weights,
       trim_scale(shared.billed_cost), trim_scale(shared.effective_cost), exchange_rate,
       trim_scale(CASE target WHEN 'balance sheet' THEN shared.billed_cost ELSE shared.effective_cost END * exchange_rate)
FROM shared_of_month AS shared
JOIN invoice USING (invoice_key)
JOIN statement_invoice USING (statement_month, invoice_key)
LEFT JOIN part_job ON part_job.attempt_id = shared.attempt_id
LEFT JOIN (SELECT DISTINCT ON (pool) pool, 'pools.csv: ' || pool || ', split ' || concat_ws(' by ', split, basis) AS declared
           FROM pool CROSS JOIN month
           WHERE valid_from <= last_day AND last_day < valid_to
           ORDER BY pool, valid_from DESC) AS pool_declared USING (pool);

-- Internal charges: a carrier is credited as much as its attempts are charged.
INSERT INTO explained (kind, whole_billed_cost, whole_effective_cost, rule_declared, target, cluster, job_id, attempt_id, cost_centre,
                       centre_declared, pool, reason, weight, weights, billed_cost, effective_cost, exchange_rate, amount)
SELECT 'internal', 0, whole_amount,
       CASE charge WHEN 'internal_overhead' THEN 'overhead_rates.csv'
                   WHEN 'engineering_overhead'    THEN 'engineering.csv' ELSE 'node_rates.csv' END
       || ': ' || pool,
       CASE WHEN attempt_id IS NOT NULL THEN 'job' ELSE 'carrier' END,
       part_job.cluster, part_job.job_id, attempt_id, transferred.cost_centre, part_job.centre_declared,
       pool, reason, weight, weights, 0, trim_scale(amount), 1, trim_scale(amount)
FROM transferred_in_month AS transferred
LEFT JOIN part_job USING (attempt_id);
