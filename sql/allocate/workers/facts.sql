-- What the statement is made of, as its transaction sees it first. No snapshot spans several
-- servers: before the commit it is compared with what is there by then (night/month/month_facts.h).
-- On one server there is nothing to compare.
CREATE TEMP TABLE facts_read ON COMMIT DROP AS
SELECT statement_month, statement_facts(statement_month) AS facts
FROM (SELECT current_setting('kstar.statement_month')::date AS statement_month) AS asked
WHERE EXISTS (SELECT FROM distributed_table);
