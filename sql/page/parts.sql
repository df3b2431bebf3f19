-- What a cost centre's true cost is made of, for its dearest $2 jobs of cost centre $1: a heading for each job and each other cost. The others
-- are one row.
WITH part AS (
    SELECT CASE WHEN kind = 'job' AND place > $2::integer THEN 999 ELSE place END AS place,
           CASE WHEN kind = 'job' AND place > $2::integer THEN 'other jobs' ELSE kind END AS kind,
           CASE WHEN kind = 'job' AND place <= $2::integer THEN attempt_id END AS attempt_id, component, subject, is_pool,
           sum(node_hours) AS node_hours, sum(minor_units)::bigint AS minor_units,
           CASE WHEN kind = 'other jobs' THEN max(subject)::bigint WHEN place > $2::integer AND kind = 'job' THEN count(DISTINCT attempt_id) END AS jobs
    FROM report_part
    WHERE cost_centre = $1
    GROUP BY 1, 2, 3, 4, 5, 6, report_part.kind, report_part.place > $2::integer
), named AS MATERIALIZED (
    SELECT attempt_id, cluster, job_id, job_name, user_name FROM job WHERE attempt_id IN (SELECT attempt_id FROM part)
), merged AS (
    SELECT least(place, 1999 + coalesce(place - 1999, 0)) AS place, kind, attempt_id, component, subject, is_pool, node_hours, minor_units, jobs FROM part WHERE kind <> 'other jobs'
    UNION ALL
    SELECT 1000, 'other jobs', NULL, NULL, NULL, false, sum(node_hours), sum(minor_units)::bigint, sum(jobs) FROM part WHERE kind = 'other jobs' HAVING count(*) > 0
)
SELECT CASE kind WHEN 'job' THEN 'Job ' || concat_ws(' ', job_id, job_name) WHEN 'other jobs' THEN format('%s other jobs', jobs)
                 ELSE concat_ws(': ', component, nullif(subject, '')) END AS title,
       CASE WHEN kind = 'job' THEN concat_ws(' · ', CASE WHEN user_names THEN user_name END, result.family, result.k || ' ' || CASE result.k WHEN 1 THEN 'node' ELSE 'nodes' END,
                                             hours_text(result.wall_hours), CASE WHEN result.outcome <> 'productive' THEN result.outcome END,
                                             CASE WHEN is_flag(result.verdict) THEN result.verdict END) END AS detail,
       kind, merged.attempt_id::text AS attempt_id, component, subject, pg_temp.page_money(merged.minor_units) AS amount,
       CASE WHEN kind = 'job' THEN '--job ' || pg_temp.shell_word(cluster || '/' || job_id) WHEN is_pool AND current_setting('kstar.cost_centre') = '' THEN '--pool ' || pg_temp.shell_word(subject) END AS explain
FROM merged
LEFT JOIN named USING (attempt_id)
LEFT JOIN (SELECT * FROM job_result WHERE statement_month = current_setting('kstar.statement_month')::date) AS result ON result.attempt_id = merged.attempt_id
CROSS JOIN (SELECT stated_setting_value(current_setting('kstar.statement_month')::date, 'page_user_names', 'false')::boolean AS user_names) AS setting
ORDER BY merged.place, merged.minor_units DESC, subject COLLATE "C";
