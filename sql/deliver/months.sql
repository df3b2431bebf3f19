-- The months whose workbooks may be due: open ones, the one closed last, and closed ones of which somebody has been given a
-- preliminary version and no final one. $1: only final ones.
SELECT to_char(statement_month, 'YYYY-MM') AS period
FROM statement
WHERE (status = 'Final' OR NOT $1::boolean)
  AND (status = 'Preliminary'
       OR statement_month = (SELECT max(statement_month) FROM statement WHERE status = 'Final')
       OR EXISTS (SELECT FROM handed_over AS preliminary
                  WHERE preliminary.statement_month = statement.statement_month AND preliminary.status = 'Preliminary'
                    AND NOT EXISTS (SELECT FROM handed_over AS final
                                    WHERE final.status = 'Final'
                                      AND (final.statement_month, final.cost_centre, final.destination)
                                          = (preliminary.statement_month, preliminary.cost_centre, preliminary.destination))))
ORDER BY statement_month;
