-- Sheet "Repeat offenders" of the review: jobs of one name and user that were flagged in this month
-- and in other months of the last twelve, in the same currency. Also the latest decision about
-- them.
WITH flagged AS MATERIALIZED (
    -- A heterogeneous job has the name of the component with which it is judged. If a name was
    -- corrected, this month's name counts.
    SELECT coalesce(judged_with, attempt_id) AS attempt_id, bool_or(judged_with IS NOT NULL) AS is_heterogeneous,
           coalesce(max(name_hash) FILTER (WHERE is_one AND is_this_month), max(name_hash) FILTER (WHERE is_one)) AS name_hash,
           max(month.statement_month) AS last_month, sum(excess_minor)::bigint AS excess_minor, sum(cash_saving_minor)::bigint AS cash_saving_minor,
           bool_or(is_this_month) AS is_this_month, (sum(excess_minor) FILTER (WHERE is_this_month))::bigint AS excess_now
    FROM (SELECT statement.statement_month, statement.statement_month = this.statement_month AS is_this_month
          FROM statement AS this
          JOIN statement USING (statement_currency)
          WHERE this.statement_month = (SELECT current_setting('kstar.statement_month')::date) AND statement.statement_month <= this.statement_month
            AND statement.statement_month > this.statement_month - interval '12 months') AS month
    -- month by month: a join would read the results of all years
    CROSS JOIN LATERAL (SELECT attempt_id, judged_with, name_hash, excess_minor, cash_saving_minor, coalesce(judged_with, attempt_id) = attempt_id AS is_one
                        FROM job_result
                        WHERE job_result.statement_month = month.statement_month AND is_flag(verdict)
                        OFFSET 0) AS flag
    GROUP BY 1
), now AS ( -- each name with this month's figures
    SELECT name_hash, min(attempt_id) AS attempt_id, max(cost_centre) AS cost_centre, max(family) AS family, max(k) AS k, max(k_star) AS k_star,
           max(waiver) AS waiver
    FROM flagged
    LEFT JOIN (SELECT attempt_id, cost_centre, family, k, k_star, waiver
               FROM job_result
               WHERE statement_month = (SELECT current_setting('kstar.statement_month')::date)) AS result USING (attempt_id)
    WHERE is_this_month AND name_hash IS NOT NULL
    GROUP BY name_hash
), ended AS MATERIALIZED (
    -- A job that ran over a month's end counts once, in its last month. A heterogeneous job may
    -- have another first component in the next month, so its components are put together here.
    SELECT attempt_id, name_hash, excess_minor, excess_now, cash_saving_minor, last_month AS ended_in, true AS is_one
    FROM flagged
    WHERE NOT is_heterogeneous
    UNION ALL
    SELECT attempt_id, name_hash, excess_minor, excess_now, cash_saving_minor,
           max(last_month) OVER (PARTITION BY cluster, heterogeneous_job_id, submit_time),
           attempt_id = min(attempt_id) OVER (PARTITION BY cluster, heterogeneous_job_id, submit_time, name_hash)
    FROM flagged
    JOIN job USING (attempt_id)
    WHERE is_heterogeneous AND name_hash IS NOT NULL
), repeated AS ( -- first by name and month: a year has many flags, but few names
    SELECT name_hash, count(*) AS months, min(ended_in) AS first_month, sum(jobs)::bigint AS jobs, sum(excess_now) AS excess_now,
           sum(excess_minor) AS excess_minor, sum(cash_saving_minor) AS cash_saving_minor
    FROM (SELECT name_hash, ended_in, count(*) FILTER (WHERE is_one) AS jobs, sum(excess_now) AS excess_now, sum(excess_minor) AS excess_minor,
                 sum(cash_saving_minor) AS cash_saving_minor
          FROM ended
          GROUP BY name_hash, ended_in) AS in_month
    GROUP BY name_hash
    HAVING count(*) > 1
), decided AS (
    SELECT DISTINCT ON (name_hash) name_hash,
           concat_ws('; ', to_char(review_month, 'YYYY-MM') || ': ' ||
                           concat_ws(', ', 'resize to ' || resize_to, 'accepted until ' || accept_until), reason, decided_by) AS decision
    FROM review_decision
    JOIN ended USING (attempt_id)
    ORDER BY name_hash, review_month DESC, declared_in COLLATE "C"
)
SELECT job_name, user_name, cost_centre, family, months,
       to_char(first_month, 'YYYY-MM')             AS first_month,
       jobs, k, k_star,
       coalesce(excess_now, 0)::bigint             AS excess_minor,
       excess_minor::bigint                        AS excess_of_all_months_minor,
       coalesce(cash_saving_minor, 0)::bigint      AS cash_saving_minor,
       waiver, decision
FROM repeated
JOIN now USING (name_hash)
-- in a list: a join would read the jobs of all years
JOIN (SELECT attempt_id, job_name, user_name FROM job WHERE attempt_id = ANY (ARRAY(SELECT attempt_id FROM now))) AS named USING (attempt_id)
LEFT JOIN decided USING (name_hash)
ORDER BY excess_of_all_months_minor DESC, job_name COLLATE "C", user_name COLLATE "C";
