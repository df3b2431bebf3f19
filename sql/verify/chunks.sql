-- The record that loads made of each chunk of month $1: the number of lines, their sum, and the
-- first place of the chunk. First come loads whose chunks have fewer or more lines than the load
-- (`wrong`).
WITH stated AS (
    SELECT DISTINCT ON (chunk_id, billing_period) chunk_id, billing_period, file, first_line
    FROM chunk_place
    WHERE statement_month = $1::date
    ORDER BY chunk_id, billing_period, file COLLATE "C", first_line
), short_load AS (
    SELECT label, load.row_count, coalesce(sum(chunk.row_count), 0) AS lines
    FROM statement_load
    JOIN load USING (load_id, statement_month)
    JOIN delivery USING (delivery_id)
    LEFT JOIN load_chunk USING (load_id)
    LEFT JOIN chunk ON chunk.chunk_id = load_chunk.chunk_id AND chunk.billing_period = load_chunk.billing_period
    WHERE statement_month = $1::date AND statement_month NOT IN (SELECT statement_month FROM pruned_month)
    GROUP BY load_id, label, load.row_count
    HAVING load.row_count <> coalesce(sum(chunk.row_count), 0)
), listed AS (
    SELECT label AS file, NULL AS place, NULL::bigint AS first_line, NULL::bigint AS chunk_id, NULL::date AS billing_period, NULL::integer AS row_count,
           NULL::bytea AS lines_sum, format('%s, %s lines were read, its chunks have %s', label, row_count, lines) AS wrong
    FROM short_load
    UNION ALL
    SELECT file, format('%s, lines %s to %s', file, first_line, first_line + line_count - 1), first_line, chunk_id, billing_period, row_count, lines_sum, NULL
    FROM stated
    JOIN chunk USING (chunk_id, billing_period)
)
SELECT chunk_id, billing_period, billing_period - date '2000-01-01' AS day, row_count, lines_sum, place, wrong
FROM listed
ORDER BY wrong COLLATE "C", file COLLATE "C", first_line, chunk_id, billing_period;
