-- Sheet "Repeat offenders" of the review: jobs of one name and user that were flagged in this month
-- and in others of the last twelve, in the same currency; with what was decided on them last.
WITH named AS MATERIALIZED (
    SELECT job.attempt_id, job_name, user_name, cluster, heterogeneous_job_id, submit_time, max(month.statement_month) AS last_month,
           sum(excess_minor) AS excess_minor, sum(cash_saving_minor) AS cash_saving_minor, bool_or(is_this_month) AS is_this_month,
           sum(excess_minor) FILTER (WHERE is_this_month) AS excess_now
    FROM (SELECT statement.statement_month, statement.statement_month = this.statement_month AS is_this_month
          FROM statement AS this
          JOIN statement USING (statement_currency)
          WHERE this.statement_month = current_setting('kstar.statement_month')::date AND statement.statement_month <= this.statement_month
            AND statement.statement_month > this.statement_month - interval '12 months') AS month
    -- month by month: a join would read the results of all years
    CROSS JOIN LATERAL (SELECT coalesce(judged_with, attempt_id) AS attempt_id, excess_minor, cash_saving_minor
                        FROM job_result
                        WHERE job_result.statement_month = month.statement_month AND is_flag(verdict)
                        OFFSET 0) AS flag
    -- Joined before they are grouped. PostgreSQL expects 200 groups, and would look up the job of
    -- each flag of a year by itself.
    JOIN job USING (attempt_id)
    WHERE job_name IS NOT NULL
    GROUP BY job.attempt_id
), ended AS (
    -- A job that runs over a month's end counts once, in its last month. Only of a heterogeneous
    -- job may another component be the first in the next month: these are put together.
    SELECT named.*, last_month AS ended_in, true AS is_one
    FROM named
    WHERE heterogeneous_job_id IS NULL
    UNION ALL
    SELECT named.*, max(last_month) OVER (PARTITION BY cluster, heterogeneous_job_id, submit_time),
           attempt_id = min(attempt_id) OVER (PARTITION BY cluster, heterogeneous_job_id, submit_time, job_name, user_name)
    FROM named
    WHERE heterogeneous_job_id IS NOT NULL
), result AS MATERIALIZED ( -- read once, not looked up for each flag of a year
    SELECT attempt_id, cost_centre, family, k, k_star, waiver
    FROM job_result
    WHERE statement_month = current_setting('kstar.statement_month')::date
)
SELECT job_name, user_name, max(cost_centre) AS cost_centre, max(family) AS family, count(DISTINCT ended_in) AS months,
       to_char(min(ended_in), 'YYYY-MM')           AS first_month,
       count(*) FILTER (WHERE is_one)              AS jobs,
       max(k)                                      AS k,
       max(k_star)                                 AS k_star,
       coalesce(sum(excess_now), 0)::bigint        AS excess_minor,
       sum(excess_minor)::bigint                   AS excess_of_all_months_minor,
       coalesce(sum(cash_saving_minor), 0)::bigint AS cash_saving_minor,
       max(waiver)                                 AS waiver,
       (SELECT concat_ws('; ', to_char(review_month, 'YYYY-MM') || ': ' ||
                               concat_ws(', ', 'resize to ' || resize_to, 'accepted until ' || accept_until), reason, decided_by)
        FROM review_decision
        WHERE review_decision.attempt_id = ANY (array_agg(ended.attempt_id))
        ORDER BY review_month DESC, declared_in COLLATE "C"
        LIMIT 1)                                   AS decision
FROM ended
LEFT JOIN result ON is_this_month AND result.attempt_id = ended.attempt_id
GROUP BY job_name, user_name
HAVING count(DISTINCT ended_in) > 1 AND bool_or(is_this_month)
ORDER BY excess_of_all_months_minor DESC, job_name COLLATE "C", user_name COLLATE "C";
