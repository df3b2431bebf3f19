-- Sheet "Data quality": jobs of which something is not known. A job may stand in several rows.
SELECT title, count(*) FILTER (WHERE holds) AS jobs, coalesce(round(sum(hours::numeric) FILTER (WHERE holds), 6), 0) AS hours, unit,
       coalesce(sum(true_cost_minor) FILTER (WHERE holds), 0)::bigint AS minor_units, meaning
FROM scope_result
CROSS JOIN LATERAL (VALUES
    (1, 'Jobs without nodes', node_hours = 0 AND shareless_node_hours = 0 AND wall_hours > 0, wall_hours, 'wall hours', 'Ran, but no record says on which node: no hardware reaches them'),
    (2, 'Nodes held for nothing', shareless_node_hours > 0, shareless_node_hours, 'node-hours', 'Held without any of the node''s accelerators: nothing is charged for it'),
    (3, 'Unpriced node-hours', unpriced_node_hours > 0.01, unpriced_node_hours, 'node-hours', 'Held on nodes that no bill and no internal rate prices'),
    (4, 'Still running', provisional, wall_hours, 'wall hours', 'Charged up to the last record of their source, or as far as exports tell of them'),
    (5, 'Efficiency not measured', efficiency IS NULL AND outcome = 'productive', node_hours, 'node-hours', 'Their hardware is unmeasured: neither useful nor waste'),
    (6, 'Low confidence', low_confidence, node_hours, 'node-hours', 'Judged by too few measurements for an interval'),
    (7, 'Without family', family IS NULL, node_hours, 'node-hours', 'No family rule names them'),
    (8, 'Without cost centre', cost_centre IS NULL, node_hours, 'node-hours', 'No mapping rule names them: unallocated'),
    (9, 'Unknown state', base_state = 'UNKNOWN', node_hours, 'node-hours', 'Counted as productive until the state is known')
  ) AS question (position, title, holds, hours, unit, meaning)
GROUP BY position, title, unit, meaning
ORDER BY position;
