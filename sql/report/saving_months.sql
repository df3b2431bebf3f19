-- Sheet "Conclusion" of the review: what resizing flagged jobs would have saved, in this month and
-- the eleven before it that have a statement in its currency. Without waived jobs and those whose
-- deadline needs their K.
SELECT to_char(month.statement_month, 'YYYY-MM') AS subject, saving.*
FROM statement AS this
JOIN statement AS month USING (statement_currency)
-- month by month: a join would read the results of all years
CROSS JOIN LATERAL (
    SELECT count(*) FILTER (WHERE is_one) AS flags,
           count(*) FILTER (WHERE is_one AND can) AS attainable,
           coalesce(sum(cash_saving_minor) FILTER (WHERE can AND NOT low_confidence), 0)::bigint AS sure_cash_minor,
           coalesce(sum(cash_saving_minor) FILTER (WHERE can AND low_confidence), 0)::bigint AS unsure_cash_minor,
           coalesce(sum(freed_capacity_minor) FILTER (WHERE can), 0)::bigint AS attainable_capacity_minor,
           coalesce(sum(excess_minor), 0)::bigint AS excess_minor
    FROM job_result
    CROSS JOIN LATERAL (SELECT coalesce(judged_with, attempt_id) = attempt_id,
                               is_attainable(waiver, job_hours, job_hours_at_k_star, deadline_hours)) AS counted (is_one, can)
    WHERE job_result.statement_month = month.statement_month AND is_flag(verdict)
) AS saving
WHERE this.statement_month = current_setting('kstar.statement_month')::date
  AND month.statement_month BETWEEN this.statement_month - interval '11 months' AND this.statement_month
ORDER BY month.statement_month;
