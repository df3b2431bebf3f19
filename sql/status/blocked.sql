-- The notes that block the close of open months, by kind.
SELECT to_char(statement_month, 'YYYY-MM') AS "month", kind AS "what", count(*) AS "notes", min(subject) AS "the_first"
FROM statement_note
JOIN statement USING (statement_month)
WHERE blocks_close AND status <> 'Final'
GROUP BY statement_month, kind
ORDER BY statement_month, kind COLLATE "C";
