-- A chunk ($3) of file $2 from its first line on, in load $1: physical lines, last line with a row, rows.
WITH stored AS (
    INSERT INTO chunk (chunk_id, billing_period, source, line_count, last_line, row_count)
    SELECT $3, billing_period, source, $4, $5, $6
    FROM load
    WHERE load_id = $1
    RETURNING chunk_id, billing_period
)
INSERT INTO load_chunk (load_id, file_id, first_line, chunk_id, billing_period)
SELECT $1, $2, 0, chunk_id, billing_period
FROM stored;
