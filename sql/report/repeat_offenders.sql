-- Sheet "Repeat offenders" of the review: jobs of one name and user that were flagged in this month
-- and in others of the last twelve, in the same currency; with what was decided on them last.
WITH flagged AS (
    SELECT coalesce(judged_with, attempt_id) AS attempt_id, max(statement_month) AS last_month, sum(excess_minor) AS excess_minor,
           sum(cash_saving_minor) AS cash_saving_minor, bool_or(is_this_month) AS is_this_month, sum(excess_minor) FILTER (WHERE is_this_month) AS excess_now,
           max(cost_centre) FILTER (WHERE is_this_month AND is_head) AS cost_centre,
           max(family) FILTER (WHERE is_this_month AND is_head) AS family,
           max(k) FILTER (WHERE is_this_month AND is_head) AS k,
           max(k_star) FILTER (WHERE is_this_month AND is_head) AS k_star,
           max(waiver) FILTER (WHERE is_this_month AND is_head) AS waiver
    FROM (SELECT statement.statement_month, statement.statement_month = this.statement_month AS is_this_month
          FROM statement AS this
          JOIN statement USING (statement_currency)
          WHERE this.statement_month = current_setting('kstar.statement_month')::date AND statement.statement_month <= this.statement_month
            AND statement.statement_month > this.statement_month - interval '12 months') AS month
    JOIN job_result USING (statement_month)
    CROSS JOIN LATERAL (SELECT coalesce(judged_with, attempt_id) = attempt_id) AS judged (is_head)
    WHERE is_flag(verdict)
    GROUP BY coalesce(judged_with, attempt_id)
), named AS MATERIALIZED (
    SELECT flagged.*, job_name, user_name, cluster, heterogeneous_job_id, submit_time
    FROM flagged
    JOIN job USING (attempt_id)
    WHERE job_name IS NOT NULL
), ended AS ( -- a job over a month's end is one, of its last month, whichever component spoke for it
    SELECT named.*, last_month AS ended_in, true AS is_one
    FROM named
    WHERE heterogeneous_job_id IS NULL
    UNION ALL
    SELECT named.*, max(last_month) OVER one_job, attempt_id = min(attempt_id) OVER one_job
    FROM named
    WHERE heterogeneous_job_id IS NOT NULL
    WINDOW one_job AS (PARTITION BY cluster, heterogeneous_job_id, submit_time)
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
GROUP BY job_name, user_name
HAVING count(DISTINCT ended_in) > 1 AND bool_or(is_this_month)
ORDER BY excess_of_all_months_minor DESC, job_name COLLATE "C", user_name COLLATE "C";
