-- Where line $2 of file $1 is: how many files match the name, their names, the first files of the
-- month, whether a match has such a line or a quarantined row, and the places of the line.
WITH month_chunk AS (
    SELECT file_id, first_line, chunk_id, billing_period FROM current_chunk JOIN month USING (statement_month)
), month_file AS (
    SELECT file_id, delivered_file(label, path) AS file
    FROM (SELECT DISTINCT file_id FROM month_chunk) AS used
    JOIN source_file USING (file_id)
    JOIN delivery USING (delivery_id)
), asked_file AS (
    SELECT file_id, file
    FROM month_file
    WHERE right('/' || file, length($1::text) + 1) = '/' || $1::text
), asked_line AS (
    SELECT node_hash
    FROM month_chunk
    JOIN asked_file USING (file_id)
    JOIN billing_line USING (chunk_id, billing_period)
    WHERE first_line + line_in_chunk = $2::bigint
      AND billing_line.billing_period BETWEEN (SELECT statement_month FROM month) AND (SELECT last_day FROM month)
)
SELECT (SELECT count(*) FROM asked_file),
       (SELECT string_agg(file, ', ' ORDER BY file COLLATE "C") FROM asked_file),
       (SELECT string_agg(file, ', ' ORDER BY file COLLATE "C") FROM (SELECT file FROM month_file ORDER BY file COLLATE "C" LIMIT 5) AS first),
       EXISTS (SELECT FROM asked_line)
       OR EXISTS (SELECT FROM quarantined_money JOIN asked_file USING (file_id) WHERE line_number = $2::bigint),
       (SELECT coalesce(array_agg(DISTINCT node_hash), '{}')::text FROM asked_line);
