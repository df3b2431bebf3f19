-- Sheet "Energy and carbon": the energy of each cost centre's jobs.
WITH used AS (
    SELECT cost_centre, sum(node_hours) AS node_hours, sum(unpowered_node_hours) AS unpowered_node_hours, sum(kwh) AS kwh,
           sum(kwh_without_intensity) AS kwh_without_intensity, sum(kg_co2e) AS kg_co2e
    FROM job_energy
    WHERE statement_month = current_setting('kstar.statement_month')::date
      AND current_setting('kstar.cost_centre') IN ('', cost_centre)
    GROUP BY cost_centre
)
SELECT coalesce(used.cost_centre, '(none)') AS cost_centre, stated_cost_centre_name(current_setting('kstar.statement_month')::date, used.cost_centre) AS name, node_hours, unpowered_node_hours, kwh, kwh_without_intensity, kg_co2e,
       round(1000 * kg_co2e / nullif(kwh - kwh_without_intensity, 0), 9) AS grams_per_kwh
FROM used
ORDER BY used.cost_centre COLLATE "C";
