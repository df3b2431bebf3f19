-- Whether the present data and rules $2 (base/postgres/identity.h) give the published statement of
-- the open month $1 again, at its own as-of.
SELECT status = 'Preliminary' AND run_id = statement_run_id(statement_month, $2, as_of)
       AND statement_month NOT IN (SELECT statement_month FROM withdrawn_statement)
FROM statement
WHERE statement_month = $1::date;
