-- Sheet "Failed runs": how attempts of the window ended: failed.
SELECT state, sum(attempts)::bigint AS attempts, sum(node_hours) AS node_hours, sum(cost_minor)::bigint AS cost_minor
FROM report_failed_state
WHERE outcome = 'failed' AND current_setting('kstar.cost_centre') IN ('', cost_centre)
GROUP BY state
ORDER BY sum(cost_minor) DESC, state COLLATE "C";
