-- The true cost of cost centre $1, one level down: its $2 dearest jobs, the other jobs in one row,
-- and cost without a job.
WITH part AS (
    SELECT is_listed, kind, place, attempt_id, component, subject, is_pool, sum(minor_units)::bigint AS minor_units
    FROM report_part
    CROSS JOIN LATERAL (SELECT kind = 'other cost' OR kind = 'job' AND place <= $2::integer AS is_listed) AS listed
    WHERE cost_centre = $1
    GROUP BY is_listed, kind, place, attempt_id, component, subject, is_pool
), shown AS (
    SELECT kind, place, attempt_id, component, subject, is_pool, minor_units, NULL AS jobs FROM part WHERE is_listed
    UNION ALL
    SELECT 'other jobs', 1000, NULL, NULL, NULL, false, sum(minor_units)::bigint, sum(CASE kind WHEN 'job' THEN 1 ELSE subject::bigint END)
    FROM part WHERE NOT is_listed HAVING count(*) > 0
), named AS MATERIALIZED (
    SELECT attempt_id, cluster, job_id, job_name, user_name FROM job WHERE attempt_id IN (SELECT attempt_id FROM shown)
)
SELECT CASE kind WHEN 'job' THEN 'Job ' || concat_ws(' ', job_id, job_name)
                 WHEN 'other jobs' THEN CASE jobs WHEN 1 THEN 'One other job' ELSE jobs || ' other jobs' END
                 ELSE concat_ws(': ', component, nullif(subject, '')) END AS title,
       CASE WHEN kind = 'job' THEN concat_ws(' · ', CASE WHEN user_names THEN user_name END, job_result.family,
                                             k || ' ' || CASE k WHEN 1 THEN rtrim(counted_in, 's') ELSE counted_in END,
                                             hours_text(wall_hours), CASE WHEN outcome <> 'productive' THEN outcome END,
                                             CASE WHEN is_flag(verdict) THEN verdict END) END AS detail,
       kind, shown.attempt_id::text AS attempt_id, component, subject, pg_temp.page_money(minor_units) AS amount,
       CASE WHEN kind = 'job' THEN '--job ' || pg_temp.shell_word(cluster || '/' || job_id)
            WHEN is_pool AND current_setting('kstar.cost_centre') = '' THEN '--pool ' || pg_temp.shell_word(subject) END AS explain
FROM shown
LEFT JOIN named USING (attempt_id)
LEFT JOIN job_result ON job_result.statement_month = current_setting('kstar.statement_month')::date AND job_result.attempt_id = shown.attempt_id
LEFT JOIN stated_family_of_month AS declared ON declared.statement_month = job_result.statement_month AND declared.family = job_result.family
CROSS JOIN LATERAL (SELECT coalesce(declared.unit, 'nodes')) AS counted (counted_in)
CROSS JOIN (SELECT stated_setting_value(current_setting('kstar.statement_month')::date, 'page_user_names', 'false')::boolean AS user_names) AS setting
ORDER BY place, minor_units DESC, subject COLLATE "C";
