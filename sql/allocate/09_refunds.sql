-- Refunds of attempts that the system ended (docs/allocation.md, What the system broke).
CREATE TEMP TABLE refund ON COMMIT DROP AS
SELECT DISTINCT ON (attempt_id) attempt_id, attempt.cluster, attempt.state, pool, run_seconds,
       least(maximum_hours * 3600, run_seconds) AS refunded_seconds -- without a maximum: all
FROM attempt
CROSS JOIN LATERAL (SELECT seconds_between(start_time, end_time)::numeric) AS run (run_seconds)
JOIN refund_rule ON refund_rule.state = attempt.state AND refund_rule.cluster IN ('', attempt.cluster)
                AND valid_from <= start_time::date AND start_time::date < valid_to
ORDER BY attempt_id, refund_rule.cluster = '', declared_from;

ANALYZE refund;
