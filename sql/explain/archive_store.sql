-- The close of the month in kstar.statement_month keeps the chunks that explain/store.sql has just
-- stored, and their hash with its closure.
INSERT INTO closed_part
SELECT * FROM open_part WHERE statement_month = current_setting('kstar.statement_month')::date;

DELETE FROM open_part WHERE statement_month = current_setting('kstar.statement_month')::date;

UPDATE closure
SET parts_sha256 = encode(sha256((SELECT coalesce(string_agg(content_sha256, '' ORDER BY chunk), '')
                                  FROM closed_part WHERE closed_part.statement_month = closure.statement_month)), 'hex')
WHERE statement_month = current_setting('kstar.statement_month')::date;
