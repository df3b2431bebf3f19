-- p, overhead by the node-hour, f, and how most of the hardware was bought, of the month's jobs for
-- which a fit speaks. The family's curve and K* are drawn with them. p is of the jobs that have a
-- price, and of the hardware behind that price: a Correction of another month's hours is priced
-- there.
WITH job AS (
    SELECT job_cost.*, fit, CASE WHEN price_per_k_hour IS NOT NULL THEN priced_hardware END AS hardware_of_hours,
           priced_seconds / 3600 / nullif(nodes_per_k, 0) AS priced_k_hours
    FROM job_cost
    LEFT JOIN attempt_accelerator USING (attempt_id)
    JOIN fit_of_jobs ON fit_of_jobs.family = job_cost.family AND fit_of_jobs.accelerator = coalesce(attempt_accelerator.accelerator, '')
    JOIN month USING (statement_month)
)
SELECT fit AS family,
       sum(hardware_of_hours) FILTER (WHERE nodes_per_k > 0) / nullif(sum(priced_k_hours), 0)      AS price_per_k_hour,
       coalesce(sum(fixed_by_node_hours) / nullif(sum(node_hours / nullif(nodes_per_k, 0)), 0), 0) AS overhead_per_k_hour,
       sum(fixed_per_wall_hour * wall_hours) / nullif(sum(wall_hours), 0)                          AS fixed_per_wall_hour,
       max(waiting_cost_per_hour)                                                                  AS waiting_cost_per_hour,
       CASE WHEN 2 * sum(hardware_of_hours) FILTER (WHERE capacity = 'spot') > sum(hardware_of_hours) THEN 'spot' ELSE 'on demand' END AS capacity
FROM job
GROUP BY fit
ORDER BY fit COLLATE "C";
