-- Stores the chunks of the open month in kstar.statement_month, in place of earlier ones.
DELETE FROM open_part WHERE statement_month = current_setting('kstar.statement_month')::date;

INSERT INTO open_part (statement_month, chunk, cost_centre, row_count, attempts, content_sha256, content)
SELECT current_setting('kstar.statement_month')::date, chunk, owner, row_count, attempts::integer[], sha256(content), content
FROM archive_chunk
JOIN archive_owner USING (owner_no);
