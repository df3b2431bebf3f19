-- The families that begin.sql found. Unit and limits are for a person to fill in.
SELECT concat_ws(', ', worth, format('%s node-hours of %s runs on %s to %s nodes', to_char(round(node_hours, 1), 'FM999,999,999,990.0'), runs,
                                     least_nodes, most_nodes)) AS worth,
       family, '' AS unit, '' AS accelerators_per_node, '' AS minimum_k, '' AS maximum_k, '' AS allowed_k, '' AS goal_work_constant,
       '' AS waiting_cost_per_hour, '' AS valid_from, '' AS valid_to
FROM proposed_family
LEFT JOIN (SELECT family, string_agg(pg_temp.money(currency, amount), ', ' ORDER BY currency) AS worth
           FROM (SELECT job_name AS family, currency, sum(amount) AS amount
                 FROM run JOIN run_cost USING (attempt_id)
                 WHERE NOT has_family
                 GROUP BY job_name, currency) AS each
           GROUP BY family) AS charged USING (family)
ORDER BY position;
