-- Sheet "Conclusion" of the review: the three families or cost centres ($1) with the most to save.
SELECT coalesce(CASE $1 WHEN 'family' THEN family ELSE cost_centre END, '(none)') AS subject, count(*) FILTER (WHERE is_one) AS flags,
       count(*) FILTER (WHERE is_one AND can) AS attainable,
       coalesce(sum(cash_saving_minor) FILTER (WHERE can AND NOT low_confidence), 0)::bigint AS sure_cash_minor,
       coalesce(sum(cash_saving_minor) FILTER (WHERE can AND low_confidence), 0)::bigint AS unsure_cash_minor,
       coalesce(sum(freed_capacity_minor) FILTER (WHERE can), 0)::bigint AS attainable_capacity_minor,
       coalesce(sum(excess_minor), 0)::bigint AS excess_minor
FROM job_result
CROSS JOIN LATERAL (SELECT coalesce(judged_with, attempt_id) = attempt_id,
                           is_attainable(waiver, job_hours, job_hours_at_k_star, deadline_hours)) AS counted (is_one, can)
WHERE statement_month = current_setting('kstar.statement_month')::date AND is_flag(verdict)
GROUP BY CASE $1 WHEN 'family' THEN family ELSE cost_centre END
ORDER BY coalesce(sum(cash_saving_minor + freed_capacity_minor) FILTER (WHERE can), 0) DESC, excess_minor DESC, 1
LIMIT 3;
