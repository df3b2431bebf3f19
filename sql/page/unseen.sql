-- What kstar could not see of the jobs, with the money that it concerns and the file that would
-- mend it (report/coverage.sql).
SELECT what, jobs::text AS jobs, to_char(hours, 'FM999,999,999,990.0') || ' ' || unit AS hours, pg_temp.page_money(minor_units) AS amount, file, mend
FROM (SELECT position, count(*) AS jobs, sum(held::numeric) AS hours, sum(true_cost_minor)::bigint AS minor_units
      FROM scope_result
      CROSS JOIN LATERAL (VALUES
          (1, unpriced_node_hours > 0.01, unpriced_node_hours), (2, node_hours = 0 AND shareless_node_hours = 0 AND wall_hours > 0, wall_hours),
          (3, efficiency IS NULL AND outcome = 'productive' AND family IS NOT NULL, node_hours), (4, family IS NULL AND outcome <> 'not started', node_hours),
          (5, low_confidence, node_hours), (6, base_state = 'UNKNOWN', node_hours)) AS question (position, holds, held)
      WHERE holds
      GROUP BY position) AS counted
JOIN (VALUES
    (1, 'Held on nodes that no bill names', 'node-hours', 'node_rates.csv', 'a rate for the nodes, or deliver their bill'),
    (2, 'Jobs whose record names no node', 'hours', 'job records', 'export them with their nodes'),
    (3, 'Efficiency not measured', 'node-hours', 'inbox/efficiency/', 'measure the family at three node counts'),
    (4, 'Jobs without family', 'node-hours', 'family_rules.csv', 'a row for their names'),
    (5, 'Judged by few measurements', 'node-hours', 'inbox/efficiency/', 'measure the sizes that the jobs use'),
    (6, 'State not known', 'node-hours', 'job records', 'export them again')) AS explained (position, what, unit, file, mend) USING (position)
ORDER BY position;
