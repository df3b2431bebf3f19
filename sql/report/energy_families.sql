-- Sheet "Energy and carbon": the energy of jobs by family. A cost centre's workbook has its own
-- jobs.
SELECT coalesce(family, '(none)') AS family, count(*) AS jobs, sum(job_energy.node_hours) AS node_hours, sum(unpowered_node_hours) AS unpowered_node_hours,
       sum(kwh) AS kwh, sum(kwh_without_intensity) AS kwh_without_intensity, sum(kg_co2e) AS kg_co2e,
       round(1000 * sum(kg_co2e) / nullif(sum(kwh - kwh_without_intensity), 0), 9) AS grams_per_kwh
FROM job_energy
JOIN scope_result AS job_result USING (statement_month, attempt_id)
GROUP BY family
ORDER BY family COLLATE "C";
