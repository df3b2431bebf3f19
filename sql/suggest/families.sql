-- The families that begin.sql found. Unit and limits are for a person to fill in.
SELECT format('%s%s node-hours of %s runs on %s to %s nodes', currency || format(' %s, ', to_char(round(amount, 2), 'FM999,999,999,990.00')),
              to_char(round(node_hours, 1), 'FM999,999,999,990.0'), runs, least_nodes, most_nodes) AS worth,
       family, '' AS unit, '' AS accelerators_per_node, '' AS minimum_k, '' AS maximum_k, '' AS allowed_k, '' AS goal_work_constant,
       '' AS waiting_cost_per_hour, '' AS valid_from, '' AS valid_to
FROM proposed_family
ORDER BY position;
