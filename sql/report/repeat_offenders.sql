-- Sheet "Repeat offenders" of the review: jobs of one name and user that were flagged in this month
-- and in others of the last twelve, in the same currency; with what was decided on them last. A job
-- over a month's end is one, of its last month.
WITH flagged AS MATERIALIZED (
    SELECT statement_month, result.attempt_id, job_name, user_name, result.cost_centre, result.family, k, k_star,
           excess_minor, cash_saving_minor, waiver,
           statement_month = current_setting('kstar.statement_month')::date AS is_this_month,
           cluster || ' ' || coalesce(heterogeneous_job_id, attempt_id::text) || ' ' || coalesce(extract(epoch FROM submit_time)::text, '') AS one_job
    FROM flagged_job AS result
    JOIN statement USING (statement_month)
    JOIN job USING (attempt_id)
    WHERE job_name IS NOT NULL
      AND statement_month <= current_setting('kstar.statement_month')::date
      AND statement_month > current_setting('kstar.statement_month')::date - interval '12 months'
      AND statement_currency = (SELECT statement_currency FROM statement
                                WHERE statement_month = current_setting('kstar.statement_month')::date)
-- by a window: nobody can tell the planner how many flags there are, and a join of them took their
-- square
), ended AS (
    SELECT flagged.*, max(statement_month) OVER (PARTITION BY one_job) AS last_month
    FROM flagged
)
SELECT job_name, user_name, max(cost_centre) FILTER (WHERE is_this_month) AS cost_centre,
       max(family) FILTER (WHERE is_this_month)                            AS family,
       count(DISTINCT last_month)                                          AS months,
       to_char(min(last_month), 'YYYY-MM')                                 AS first_month,
       count(DISTINCT one_job)                                             AS jobs,
       max(k) FILTER (WHERE is_this_month)                                 AS k,
       max(k_star) FILTER (WHERE is_this_month)                            AS k_star,
       coalesce(sum(excess_minor) FILTER (WHERE is_this_month), 0)::bigint AS excess_minor,
       sum(excess_minor)::bigint                                           AS excess_of_all_months_minor,
       coalesce(sum(cash_saving_minor), 0)::bigint                         AS cash_saving_minor,
       max(waiver) FILTER (WHERE is_this_month)                            AS waiver,
       (SELECT concat_ws('; ', to_char(review_month, 'YYYY-MM') || ': ' ||
                               concat_ws(', ', 'resize to ' || resize_to, 'accepted until ' || accept_until), reason, decided_by)
        FROM review_decision
        WHERE review_decision.attempt_id = ANY (array_agg(ended.attempt_id))
        ORDER BY review_month DESC, declared_in COLLATE "C"
        LIMIT 1)                                                           AS decision
FROM ended
GROUP BY job_name, user_name
HAVING count(DISTINCT last_month) > 1 AND bool_or(is_this_month)
ORDER BY excess_of_all_months_minor DESC, job_name COLLATE "C", user_name COLLATE "C";
