-- Sheet "Conclusion" of the review: what resizing flagged jobs would have saved, without waived
-- jobs and those that would be late on K*. $1 is family or cost_centre: the three of this month
-- with the most to save. Or $1 is month: this month, and those of the eleven before it with a
-- statement in the same currency.
SELECT coalesce(CASE $1 WHEN 'month' THEN to_char(month.statement_month, 'YYYY-MM') WHEN 'family' THEN family ELSE cost_centre END, '(none)') AS subject,
       count(*) FILTER (WHERE is_one) AS flags,
       count(*) FILTER (WHERE is_one AND can) AS attainable,
       coalesce(sum(cash_saving_minor) FILTER (WHERE can AND NOT low_confidence), 0)::bigint AS sure_cash_minor,
       coalesce(sum(cash_saving_minor) FILTER (WHERE can AND low_confidence), 0)::bigint AS unsure_cash_minor,
       coalesce(sum(freed_capacity_minor) FILTER (WHERE can), 0)::bigint AS attainable_capacity_minor,
       coalesce(sum(excess_minor), 0)::bigint AS excess_minor
FROM statement AS this
JOIN statement AS month ON month.statement_currency = this.statement_currency
                       AND month.statement_month BETWEEN this.statement_month - CASE $1 WHEN 'month' THEN interval '11 months' ELSE interval '0' END
                                                     AND this.statement_month
-- month by month: a join would read the results of all years
LEFT JOIN LATERAL (
    SELECT attempt_id, family, cost_centre, cash_saving_minor, freed_capacity_minor, excess_minor, low_confidence,
           coalesce(judged_with, attempt_id) = attempt_id AS is_one, is_attainable AS can
    FROM job_result
    WHERE job_result.statement_month = month.statement_month AND is_flag(verdict)
    OFFSET 0
) AS flag ON true
WHERE this.statement_month = current_setting('kstar.statement_month')::date
GROUP BY 1
HAVING $1 = 'month' OR count(attempt_id) > 0
ORDER BY CASE $1 WHEN 'month' THEN min(month.statement_month) END,
         coalesce(sum(cash_saving_minor + freed_capacity_minor) FILTER (WHERE can), 0) DESC, excess_minor DESC, subject
LIMIT CASE $1 WHEN 'month' THEN NULL ELSE 3 END;
