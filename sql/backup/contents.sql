-- What a backup holds, a line each, as its manifest says it.
SELECT 'schema ' || count(*) FROM kstar.schema_migration
UNION ALL
(SELECT concat_ws(' ', 'statement', to_char(statement_month, 'YYYY-MM'), status, run_id) FROM kstar.statement ORDER BY statement_month);
