-- Sheet "Summary": the true cost in the statement of the month before, if it has the same currency.
-- No row: there is no such statement. 0 for a cost centre that was not in it.
SELECT to_char(statement_month, 'YYYY-MM') AS period, coalesce(sum(statement_sum.minor_units), 0)::bigint AS true_cost
FROM statement
LEFT JOIN (SELECT statement_month, minor_units
           FROM statement_sum
           WHERE line_type = 'charge' AND (block = 'invoice' OR is_of_attempts)
             AND current_setting('kstar.cost_centre') IN ('', cost_centre)) AS statement_sum USING (statement_month)
WHERE statement_month = (current_setting('kstar.statement_month')::date - interval '1 month')::date
  AND statement_currency = (SELECT statement_currency FROM statement WHERE statement_month = current_setting('kstar.statement_month')::date)
GROUP BY statement_month;
