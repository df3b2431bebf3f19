-- Sheet "Curve …" of the family kstar.family: the law's curve, the measured points, K* with its
-- interval, and the K of the month's jobs.
WITH used AS (
    SELECT k, sum(jobs) AS jobs
    FROM report_run_size
    WHERE family = current_setting('kstar.family') AND current_setting('kstar.cost_centre') IN ('', cost_centre)
    GROUP BY k
)
SELECT curve.k, curve.efficiency, curve.hours, curve.cost, curve.measured_hours, curve.measured_cost,
       CASE WHEN used.k IS NOT NULL THEN curve.cost END AS used_cost, used.jobs,
       CASE WHEN curve.k = fit.k_star THEN curve.cost END AS k_star_cost,
       CASE WHEN EXISTS (SELECT -- "1, 5-9", "8 or more"
                         FROM regexp_split_to_table(fit.k_star_interval, ', ') AS plausible
                         CROSS JOIN LATERAL regexp_match(plausible, '^(\d+)(?:-(\d+))?( or more)?$') AS ends
                         -- closed statements may say "4294967295 or more"
                         WHERE curve.k >= ends[1]::bigint
                           AND (ends[3] IS NOT NULL OR curve.k <= coalesce(ends[2], ends[1])::bigint)) THEN curve.cost END
           AS interval_cost,
       curve.money_cost, CASE WHEN curve.k = fit.k_least_money THEN curve.money_cost END AS least_money_cost
FROM family_curve AS curve
JOIN family_fit AS fit USING (statement_month, family)
LEFT JOIN used USING (k)
WHERE curve.statement_month = current_setting('kstar.statement_month')::date AND curve.family = current_setting('kstar.family')
ORDER BY curve.k;
