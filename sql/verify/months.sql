-- The months that have a statement, of period $1 ("2026-09") or, NULL, of all; and the folder of
-- their files: that of the close, else that of the last night.
SELECT to_char(statement_month, 'YYYY-MM') AS period, statement_month, status, run_id,
       coalesce(written_to, (SELECT out_dir FROM run_ledger WHERE command = 'nightly' AND out_dir IS NOT NULL ORDER BY run_number DESC LIMIT 1)) AS out_dir
FROM statement
LEFT JOIN closure USING (statement_month)
WHERE $1::text IS NULL OR statement_month = ($1 || '-01')::date
ORDER BY statement_month;
