-- What the system broke goes to a pool: all that attempts cost which ended in a state of refund_rules.csv, up to so many
-- hours of each, and what was credited of it (docs/allocation.md, section 4a). The parts that a cap cuts in two are left to
-- split.sql.

-- By the rule valid on the day of the attempt's start, its cluster's own before the one for all. An attempt without run time
-- is refunded whole.
CREATE TEMP TABLE refund ON COMMIT DROP AS
SELECT DISTINCT ON (attempt_id) attempt_id, attempt.cluster, attempt.state, pool, run_seconds,
       least(maximum_hours * 3600, run_seconds) AS refunded_seconds -- without a maximum, all of it
FROM attempt
CROSS JOIN LATERAL (SELECT seconds_between(start_time, end_time)::numeric) AS run (run_seconds)
JOIN refund_rule ON refund_rule.state = attempt.state AND refund_rule.cluster IN ('', attempt.cluster)
                AND valid_from <= start_time::date AND start_time::date < valid_to
ORDER BY attempt_id, refund_rule.cluster = '', declared_from;

CREATE TEMP TABLE refunded_part ON COMMIT DROP AS
WITH refunded AS MATERIALIZED (
    SELECT line_part.*, line_part.ctid AS place, refund.pool AS refund_pool, refund.state, refunded_seconds, run_seconds - refunded_seconds AS kept_seconds
    FROM line_part
    JOIN month USING (statement_month)
    JOIN refund USING (attempt_id)
    WHERE target = 'job'
), line AS (
    SELECT load_id, file_id, line_number, row_in_record, max(part) AS last_part
    FROM line_part
    JOIN month USING (statement_month)
    WHERE (load_id, file_id, line_number, row_in_record) IN (SELECT load_id, file_id, line_number, row_in_record FROM refunded)
    GROUP BY load_id, file_id, line_number, row_in_record
)
SELECT row_number() OVER (ORDER BY load_id, file_id, line_number, row_in_record, part) AS request_id, refunded.*, last_part
FROM refunded
JOIN line USING (load_id, file_id, line_number, row_in_record);

ANALYZE refunded_part;

-- By where they lie: a look-up of each would read all parts of its line.
DELETE FROM line_part WHERE ctid = ANY (ARRAY(SELECT place FROM refunded_part));

-- 1: what stays with the job; 2: what the pool takes.
INSERT INTO split_request (request_id, part, weight, billed_cost, effective_cost)
SELECT request_id, piece, weight, billed_cost, effective_cost
FROM refunded_part
CROSS JOIN LATERAL (VALUES (1, kept_seconds), (2, refunded_seconds)) AS pieces (piece, weight)
WHERE kept_seconds > 0;
