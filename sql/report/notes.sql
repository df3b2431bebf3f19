-- Sheet "Open items": what a reader should know, and what keeps the month from being closed.
SELECT kind, subject, quantity, unit, note, blocks_close
FROM statement_note
WHERE statement_month = current_setting('kstar.statement_month')::date
ORDER BY blocks_close DESC, kind COLLATE "C", subject COLLATE "C", note COLLATE "C";
