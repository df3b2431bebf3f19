-- The facts that the statement is made of, as its transaction first sees them. No snapshot spans
-- several servers, so they are compared with the facts before the commit
-- (night/month/month_facts.h). One server needs no comparison.
CREATE TEMP TABLE facts_read ON COMMIT DROP AS
SELECT statement_month, statement_facts(statement_month) AS facts
FROM (SELECT current_setting('kstar.statement_month')::date AS statement_month) AS asked
WHERE EXISTS (SELECT FROM distributed_table);
