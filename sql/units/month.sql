-- The month that kstar report units prints: $1, by default that of the latest statement. And
-- whether cost centre $2 ('': everybody) is known in it. No row: there is no statement.
SELECT statement_month::text, to_char(statement_month, 'YYYY-MM'),
       $2 = '' OR EXISTS (SELECT FROM stated_cost_centre
                          WHERE stated_cost_centre.statement_month = statement.statement_month AND cost_centre = $2)
               OR EXISTS (SELECT FROM job_result
                          WHERE job_result.statement_month = statement.statement_month AND cost_centre = $2)
FROM statement
WHERE statement_month = coalesce(nullif($1, '')::date, (SELECT max(statement_month) FROM statement));
