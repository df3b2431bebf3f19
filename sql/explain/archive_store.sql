-- Stores the chunks of the month in kstar.statement_month, and their hash with its closure.
INSERT INTO closed_part (statement_month, chunk, cost_centre, row_count, attempts, content_sha256, content)
SELECT current_setting('kstar.statement_month')::date, chunk, owner, row_count, attempts::integer[], sha256(content), content
FROM archive_chunk
JOIN archive_owner USING (owner_no);

UPDATE closure
SET parts_sha256 = encode(sha256((SELECT coalesce(string_agg(content_sha256, '' ORDER BY chunk), '')
                                  FROM closed_part WHERE closed_part.statement_month = closure.statement_month)), 'hex')
WHERE statement_month = current_setting('kstar.statement_month')::date;

-- What readers had of the month while it was open.
DELETE FROM open_part WHERE statement_month = current_setting('kstar.statement_month')::date;
