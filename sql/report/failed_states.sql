-- Sheet "Failed runs": the states in which attempts of outcome $1 ended in the window.
SELECT state, sum(attempts)::bigint AS attempts, sum(node_hours) AS node_hours, sum(cost_minor)::bigint AS cost_minor
FROM report_failed_state
WHERE outcome = $1 AND current_setting('kstar.cost_centre') IN ('', cost_centre)
GROUP BY state
ORDER BY sum(cost_minor) DESC, state COLLATE "C";
