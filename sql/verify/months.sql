-- The months with a statement or a close: $1 ("2026-09"), or all if NULL. out_dir is the folder of
-- the close, otherwise that of the last night. is_pruned: the lines were pruned. is_closed: the
-- statement or the record of the close says so.
SELECT to_char(statement_month, 'YYYY-MM') AS period, statement_month, status, run_id,
       coalesce(written_to, (SELECT out_dir FROM run_ledger WHERE command = 'nightly' AND out_dir IS NOT NULL ORDER BY run_number DESC LIMIT 1)) AS out_dir,
       statement_month IN (SELECT pruned_month.statement_month FROM pruned_month) AS is_pruned,
       status IS NOT DISTINCT FROM 'Final' OR closure.statement_month IS NOT NULL AS is_closed
FROM statement
FULL JOIN closure USING (statement_month)
WHERE $1::text IS NULL OR statement_month = ($1 || '-01')::date
ORDER BY statement_month;
