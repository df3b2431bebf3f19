-- Sheet "Conclusion" of the review: what resizing flagged jobs would have saved, in this month and
-- the eleven before it that have a statement in its currency. Without waived jobs and those whose
-- deadline needs their K.
SELECT to_char(statement_month, 'YYYY-MM') AS subject, count(*) FILTER (WHERE is_one) AS flags,
       count(*) FILTER (WHERE is_one AND can) AS attainable,
       coalesce(sum(cash_saving_minor) FILTER (WHERE can AND NOT low_confidence), 0)::bigint AS sure_cash_minor,
       coalesce(sum(cash_saving_minor) FILTER (WHERE can AND low_confidence), 0)::bigint AS unsure_cash_minor,
       coalesce(sum(freed_capacity_minor) FILTER (WHERE can), 0)::bigint AS attainable_capacity_minor,
       coalesce(sum(excess_minor), 0)::bigint AS excess_minor
FROM (SELECT statement_month FROM statement
      WHERE statement_month <= current_setting('kstar.statement_month')::date
        AND statement_month > current_setting('kstar.statement_month')::date - interval '12 months'
        AND statement_currency = (SELECT statement_currency FROM statement
                                  WHERE statement_month = current_setting('kstar.statement_month')::date)) AS month
LEFT JOIN (SELECT * FROM job_result
           WHERE is_flag(verdict) AND statement_month <= current_setting('kstar.statement_month')::date
             AND statement_month > current_setting('kstar.statement_month')::date - interval '12 months') AS flagged USING (statement_month)
CROSS JOIN LATERAL (SELECT coalesce(judged_with, attempt_id) = attempt_id,
                           is_attainable(waiver, job_hours, job_hours_at_k_star, deadline_hours)) AS counted (is_one, can)
GROUP BY statement_month
ORDER BY statement_month;
