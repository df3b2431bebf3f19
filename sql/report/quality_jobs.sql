-- Sheet "Data quality": jobs of which something is not known. A job may stand in several rows.
SELECT title, jobs, hours, unit, minor_units, meaning
FROM (SELECT position, count(*) FILTER (WHERE holds) AS jobs, coalesce(round(sum(hours::numeric) FILTER (WHERE holds), 6), 0) AS hours,
             coalesce(sum(true_cost_minor) FILTER (WHERE holds), 0)::bigint AS minor_units
      FROM scope_result
      CROSS JOIN LATERAL (VALUES
          (1, node_hours = 0 AND shareless_node_hours = 0 AND wall_hours > 0, wall_hours),
          (2, shareless_node_hours > 0, shareless_node_hours),
          (3, unpriced_node_hours > 0.01, unpriced_node_hours),
          (4, provisional, wall_hours),
          (5, efficiency IS NULL AND outcome = 'productive', node_hours),
          (6, low_confidence, node_hours),
          (7, family IS NULL, node_hours),
          (8, cost_centre IS NULL, node_hours),
          (9, base_state = 'UNKNOWN', node_hours)
        ) AS question (position, holds, hours)
      GROUP BY position) AS counted
JOIN (VALUES
    (1, 'Jobs without nodes', 'wall hours', 'Ran, but no record says on which node: they bear no hardware'),
    (2, 'Nodes held for nothing', 'node-hours', 'Held without any of the node''s accelerators: nothing is charged for it'),
    (3, 'Unpriced node-hours', 'node-hours', 'Held on nodes that no bill and no internal rate prices'),
    (4, 'Still running', 'wall hours', 'Charged up to the last record of their source, or as far as exports tell of them'),
    (5, 'Efficiency not measured', 'node-hours', 'Their hardware is unmeasured: neither useful nor waste'),
    (6, 'Low confidence', 'node-hours', 'Judged by too few measurements for an interval'),
    (7, 'Without family', 'node-hours', 'No family rule names them'),
    (8, 'Without cost centre', 'node-hours', 'No mapping rule names them: unallocated'),
    (9, 'Unknown state', 'node-hours', 'Counted as productive until the state is known')
  ) AS said (position, title, unit, meaning) USING (position)
ORDER BY position;
