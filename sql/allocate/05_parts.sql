-- Each line to its parts: the first rule that matches (design 6; docs/allocation.md, section 3).

-- Rule 1: the line's resource is the job, or its tag names the job and its resource is no node.
CREATE TEMP TABLE class_job ON COMMIT DROP AS
SELECT class_id, attempt_id
FROM line_class
JOIN job ON lower(job.resource_id) = lower(line_class.resource_id)
UNION
SELECT class_id, attempt_id
FROM line_class
CROSS JOIN month
JOIN job ON job.job_id_raw = tags ->> job_tag_key
WHERE resource_key NOT IN (SELECT resource_key FROM node_resource)
UNION
SELECT class_id, attempt_id
FROM line_class
CROSS JOIN month
JOIN job ON job.job_id = tags ->> job_tag_key
WHERE resource_key NOT IN (SELECT resource_key FROM node_resource);

ANALYZE class_job;

CREATE TEMP TABLE line_job ON COMMIT DROP AS
SELECT DISTINCT ON (line_id) line_id, attempt_id
FROM class_job
JOIN classed_line USING (class_id)
JOIN line_class USING (class_id)
JOIN attempt USING (attempt_id)
WHERE attempt.start_time < charge_period_end AND charge_category <> 'Tax'
ORDER BY line_id,
         greatest(seconds_between(greatest(attempt.start_time, charge_period_start),
                                  least(attempt.end_time, charge_period_end)), 0) DESC,
         attempt.start_time DESC, attempt_id;

CREATE UNIQUE INDEX ON line_job (line_id);
ANALYZE line_job;

CREATE TEMP TABLE ruled_line ON COMMIT DROP AS
SELECT line_id, class_id, load_id, file_id, line_number, row_in_record, classed_line.invoice_key, billed_cost, effective_cost,
       charge_part, charge_class, consumed_quantity, pricing_quantity, consumed_unit_seconds, pricing_unit_seconds,
       line_job.attempt_id, slot_id, pool, cost_centre,
       CASE
           WHEN charge_category = 'Purchase' AND commitment_discount_id IS NOT NULL AND effective_cost = 0 THEN 0
           WHEN charge_category = 'Tax'           THEN 0
           WHEN line_job.attempt_id IS NOT NULL   THEN 1
           WHEN slot_id IS NOT NULL               THEN 2
           WHEN pool IS NOT NULL                  THEN 3
           WHEN cost_centre IS NOT NULL           THEN 4
           ELSE 5
       END AS rule,
       charge_category = 'Tax' AS is_tax
FROM classed_line
JOIN line_class USING (class_id)
LEFT JOIN line_job USING (line_id)
LEFT JOIN slot_total ON slot_total.resource_key = classed_line.resource_key
                    AND slot_total.charge_period_start = classed_line.charge_period_start
                    AND slot_total.charge_period_end = classed_line.charge_period_end
LEFT JOIN class_pool USING (class_id)
LEFT JOIN class_cost_centre USING (class_id);

ANALYZE ruled_line;

-- Lines that go to one place as a whole.
INSERT INTO line_part (statement_month, load_id, file_id, line_number, row_in_record, part, invoice_key, rule, target, charge_part,
                       attempt_id, pool, cost_centre, reason, held_seconds, billed_cost, effective_cost)
SELECT statement_month, load_id, file_id, line_number, row_in_record, 1, invoice_key, rule,
       CASE rule WHEN 0 THEN CASE WHEN is_tax THEN 'tax' ELSE 'prepaid' END
                 WHEN 1 THEN 'job' WHEN 3 THEN 'pool' WHEN 4 THEN 'cost centre' ELSE 'unallocated' END,
       CASE rule WHEN 0 THEN 'other' ELSE charge_part END,
       CASE rule WHEN 1 THEN attempt_id END,
       CASE rule WHEN 3 THEN pool END,
       CASE rule WHEN 4 THEN cost_centre END,
       CASE rule WHEN 5 THEN 'no rule matches' END,
       CASE WHEN rule = 1 AND charge_part = 'hardware' AND charge_class IS DISTINCT FROM 'Correction'
            THEN consumed_quantity * consumed_unit_seconds END,
       billed_cost, effective_cost
FROM ruled_line
CROSS JOIN month
WHERE rule <> 2;

-- Rule 2: what was billed, in the weights of the slot. Where held time exceeds it, held time is the whole.
CREATE TEMP TABLE node_line ON COMMIT DROP AS
WITH billed AS (
    SELECT ruled_line.*, slot_total.grain, present_seconds, awaiting_seconds, idle_pool, node, held_weight,
           seconds_between(charge_period_start, charge_period_end) AS period_seconds,
           CASE WHEN charge_class IS DISTINCT FROM 'Correction' THEN abs(consumed_quantity) * consumed_unit_seconds END
               AS consumed_seconds,
           CASE WHEN charge_class IS DISTINCT FROM 'Correction' THEN abs(pricing_quantity) * pricing_unit_seconds END
               AS priced_seconds
    FROM ruled_line
    JOIN slot_total USING (slot_id)
    WHERE rule = 2
), denominated AS (
    SELECT billed.*,
           CASE WHEN consumed_seconds > 0 AND consumed_seconds <= period_seconds THEN consumed_seconds
                WHEN priced_seconds > 0 AND priced_seconds <= period_seconds THEN priced_seconds
                ELSE present_seconds END AS billed_seconds
    FROM billed
)
SELECT denominated.*,
       billed_seconds * grain * awaiting_seconds AS awaiting_weight,
       greatest(billed_seconds * grain * present_seconds - held_weight - billed_seconds * grain * awaiting_seconds, 0)
           AS idle_weight,
       greatest(held_weight + billed_seconds * grain * awaiting_seconds - billed_seconds * grain * present_seconds, 0)
           AS excess_weight
FROM denominated;

CREATE TEMP TABLE node_line_weight ON COMMIT DROP AS
SELECT line_id, row_number() OVER (PARTITION BY line_id ORDER BY position, attempt_id)::integer AS part,
       count(*) OVER (PARTITION BY line_id) AS parts,
       target, attempt_id, reason, weight
FROM (
    SELECT line_id, 1 AS position, 'job' AS target, slot_share.attempt_id, NULL AS reason, weight
    FROM node_line JOIN slot_share USING (slot_id)
    WHERE weight > 0
    UNION ALL
    SELECT line_id, 2, CASE WHEN idle_pool IS NULL THEN 'unallocated' ELSE 'pool' END, NULL,
           CASE WHEN idle_pool IS NULL THEN 'idle node without pool' END, idle_weight
    FROM node_line WHERE idle_weight > 0
    UNION ALL
    SELECT line_id, 3, 'unallocated', NULL, 'awaiting job records', awaiting_weight
    FROM node_line WHERE awaiting_weight > 0
) AS weighed;

CREATE INDEX ON node_line_weight (line_id);
ANALYZE node_line_weight;

INSERT INTO split_request (request_id, part, weight, billed_cost, effective_cost)
SELECT line_id, part, weight, billed_cost, effective_cost
FROM node_line_weight JOIN node_line USING (line_id)
WHERE parts > 1;
