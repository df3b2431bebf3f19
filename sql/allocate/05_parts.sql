-- Each line to its parts: the first rule that matches (design 6; docs/allocation.md, section 3).

-- Rule 1: the line's resource is the job, or its tag names the job and its resource is no node.
CREATE TEMP TABLE class_job ON COMMIT DROP AS
SELECT class_id, attempt_id, true AS is_own
FROM line_class
JOIN job ON lower(job.resource_id) = lower(line_class.resource_id)
UNION
SELECT class_id, attempt_id, false
FROM line_class
CROSS JOIN month
JOIN job ON job.job_id_raw = tags ->> job_tag_key
WHERE resource_key NOT IN (SELECT resource_key FROM node_resource)
UNION
SELECT class_id, attempt_id, false
FROM line_class
CROSS JOIN month
JOIN job ON job.job_id = tags ->> job_tag_key
WHERE resource_key NOT IN (SELECT resource_key FROM node_resource);

ANALYZE class_job;

-- A machine's time is the job's while it ran, and up to an hour beside that, as a node's is: a tag outlives its job. What does not cost
-- by time may come later. Of a job that runs on at the horizon nobody knows yet how long.
CREATE TEMP TABLE line_job ON COMMIT DROP AS
WITH candidate AS (
    SELECT line_id, attempt_id, is_own, attempt.cluster, attempt.start_time,
           greatest(seconds_between(greatest(attempt.start_time, charge_period_start), least(attempt.end_time, charge_period_end)), 0) AS overlap
    FROM class_job
    JOIN classed_line USING (class_id)
    JOIN line_class USING (class_id)
    JOIN attempt USING (attempt_id)
    LEFT JOIN cluster_horizon ON cluster_horizon.cluster = attempt.cluster
    WHERE charge_category <> 'Tax'
      AND CASE WHEN is_own OR charge_part <> 'hardware' THEN attempt.start_time < charge_period_end
               ELSE attempt.start_time - interval '1 hour' < charge_period_end
                    AND (charge_period_start < attempt.end_time + interval '1 hour' OR (attempt.provisional AND attempt.end_time >= horizon))
          END
), alike AS ( -- an id is of one cluster: where jobs of several had it in the line's time, or none of them had, it names nobody
    SELECT candidate.*, min(cluster) OVER as_likely <> max(cluster) OVER as_likely AS is_ambiguous
    FROM candidate
    WINDOW as_likely AS (PARTITION BY line_id, is_own, overlap > 0)
)
SELECT DISTINCT ON (line_id) line_id, CASE WHEN is_own OR NOT is_ambiguous THEN attempt_id END AS attempt_id
FROM alike
ORDER BY line_id, is_own DESC, overlap DESC, start_time DESC, attempt_id;

CREATE UNIQUE INDEX ON line_job (line_id);
ANALYZE line_job;

CREATE TEMP TABLE ruled_line ON COMMIT DROP AS
SELECT line_id, class_id, load_id, file_id, line_number, row_in_record, classed_line.invoice_key, line_class.resource_key,
       billed_cost, effective_cost, closed_month, charge_part, charge_class, consumed_quantity, pricing_quantity, consumed_unit_seconds, pricing_unit_seconds,
       line_job.attempt_id, line_job.line_id IS NOT NULL AND line_job.attempt_id IS NULL AS names_several, slot_id, pool, cost_centre,
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
INSERT INTO line_part (statement_month, load_id, file_id, line_number, row_in_record, part, invoice_key, resource_key, closed_month, rule,
                       target, charge_part, attempt_id, pool, cost_centre, reason, held_seconds, billed_cost, effective_cost)
SELECT statement_month, load_id, file_id, line_number, row_in_record, 1, invoice_key, resource_key, closed_month, rule,
       CASE rule WHEN 0 THEN CASE WHEN is_tax THEN 'tax' ELSE 'prepaid' END
                 WHEN 1 THEN 'job' WHEN 3 THEN 'pool' WHEN 4 THEN 'cost centre' ELSE 'unallocated' END,
       CASE rule WHEN 0 THEN 'other' ELSE charge_part END,
       CASE rule WHEN 1 THEN attempt_id END,
       CASE rule WHEN 3 THEN pool END,
       CASE rule WHEN 4 THEN cost_centre END,
       CASE WHEN rule = 5 THEN CASE WHEN names_several THEN 'job tag of several clusters' ELSE 'no rule matches' END END,
       CASE WHEN rule = 1 AND charge_part = 'hardware' AND charge_class IS DISTINCT FROM 'Correction'
            THEN consumed_quantity * consumed_unit_seconds END,
       billed_cost, effective_cost
FROM ruled_line
CROSS JOIN month
WHERE rule <> 2;
