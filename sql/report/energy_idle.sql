-- Sheet "Energy and carbon" of everybody's workbook: the energy of nodes that were there while no
-- job held them.
SELECT coalesce(nullif(pool, ''), '(none)') AS pool, cluster, node_hours, unpowered_node_hours, kwh, kwh_without_intensity, kg_co2e,
       round(1000 * kg_co2e / nullif(kwh - kwh_without_intensity, 0), 9) AS grams_per_kwh
FROM idle_energy
WHERE statement_month = current_setting('kstar.statement_month')::date
ORDER BY pool COLLATE "C", cluster COLLATE "C";
