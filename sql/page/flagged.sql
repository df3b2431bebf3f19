-- Jobs above and below K*, those with the largest excess first. Row 13 adds up all flags, with the
-- number of jobs that are not listed.
WITH flag AS MATERIALIZED (
    SELECT report_flag.*, row_number() OVER (ORDER BY excess_minor DESC NULLS LAST, attempt_id) AS place
    FROM report_flag
    WHERE (SELECT current_setting('kstar.cost_centre')) IN ('', cost_centre)
), named AS MATERIALIZED (
    SELECT attempt_id, CASE WHEN judged_with IS NULL THEN job_id ELSE heterogeneous_job_id END AS job_id, job_name, user_name
    FROM job
    JOIN (SELECT attempt_id, judged_with FROM flag WHERE place <= 12) AS judged USING (attempt_id)
)
SELECT place, concat_ws(' ', named.job_id, named.job_name) AS job, CASE WHEN user_names THEN user_name END AS user_name, cost_centre, family,
       k::text AS k, concat_ws(' ', k_star::text, '(' || k_star_interval || ')') AS k_star, hours_text(job_hours) AS hours,
       pg_temp.page_money(cost_minor) AS cost, pg_temp.page_money(excess_minor) AS excess,
       CASE WHEN waiver IS NOT NULL THEN 'waived'
            WHEN NOT is_attainable THEN CASE WHEN deadline_k = k THEN 'its deadline needs this K' ELSE concat_ws('; ', 'late on K*', 'in time on ' || deadline_k) END
            WHEN low_confidence THEN 'measure first: low confidence' ELSE 'resize it' END AS advice, false AS is_total
FROM flag
JOIN named USING (attempt_id)
CROSS JOIN (SELECT stated_setting_value(current_setting('kstar.statement_month')::date, 'page_user_names', 'false')::boolean AS user_names) AS setting
UNION ALL
SELECT 13, CASE WHEN count(*) > 12 THEN format('Together, with %s other jobs', count(*) - 12) ELSE 'Together' END, NULL, NULL, NULL, NULL, NULL, NULL,
       pg_temp.page_money(sum(cost_minor)), pg_temp.page_money(sum(excess_minor)), NULL, true
FROM flag
HAVING count(*) > 0
ORDER BY place;
