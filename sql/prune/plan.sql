-- What is removed, table by table: chunks without a load (of replaced deliveries), chunks of the
-- months to prune, what the statement made of their lines, and the nodes of attempts that ended
-- before anything that stays.
CREATE TEMPORARY TABLE prune_hold ON COMMIT DROP AS
SELECT least((SELECT min(statement_month)::timestamptz
              FROM (SELECT statement_month FROM load JOIN current_load USING (load_id) UNION SELECT statement_month FROM closure) AS month
              WHERE statement_month NOT IN (SELECT statement_month FROM pruned_month)
                AND statement_month NOT IN (SELECT statement_month FROM prune_month WHERE reason IS NULL)),
             (SELECT min(first_start) FROM prune_need
              WHERE bill_month NOT IN (SELECT statement_month FROM prune_month WHERE reason IS NULL)),
             (SELECT (max(statement_month) + interval '1 month')::timestamptz FROM prune_month WHERE reason IS NULL)) AS holds_to
WHERE EXISTS (SELECT FROM prune_month WHERE reason IS NULL);

CREATE TEMPORARY TABLE left_place ON COMMIT DROP AS
SELECT load_chunk.load_id, file_id, first_line
FROM load_chunk
JOIN load USING (load_id)
WHERE statement_month IN (SELECT statement_month FROM prune_month WHERE reason IS NULL);

ANALYZE left_place;

CREATE TEMPORARY TABLE left_chunk ON COMMIT DROP AS
SELECT chunk_id, billing_period, row_count
FROM chunk
WHERE NOT EXISTS (SELECT
                  FROM load_chunk
                  WHERE load_chunk.chunk_id = chunk.chunk_id AND load_chunk.billing_period = chunk.billing_period
                    AND NOT EXISTS (SELECT
                                    FROM left_place
                                    WHERE left_place.load_id = load_chunk.load_id AND left_place.file_id = load_chunk.file_id
                                      AND left_place.first_line = load_chunk.first_line));

ANALYZE left_chunk;

-- Partitions of which nothing stays are dropped: the system gets their space at once.
CREATE TEMPORARY TABLE left_partition ON COMMIT DROP AS
SELECT billing_period, format('billing_line_%s', to_char(billing_period, 'YYYYMMDD')) AS partition_name
FROM (SELECT billing_period, count(*) AS chunks FROM chunk GROUP BY billing_period) AS there
JOIN (SELECT billing_period, count(*) AS chunks FROM left_chunk GROUP BY billing_period) AS gone USING (billing_period, chunks)
WHERE to_regclass(format('kstar.billing_line_%s', to_char(billing_period, 'YYYYMMDD'))) IS NOT NULL;

CREATE TEMPORARY TABLE prune_table ON COMMIT DROP AS
WITH gone (position, table_name, rows, is_dropped) AS (
    SELECT 1, format('billing_line_%s', to_char(billing_period, 'YYYYMMDD')), sum(row_count),
           billing_period IN (SELECT billing_period FROM left_partition)
    FROM left_chunk
    GROUP BY billing_period
    UNION ALL
    SELECT 2, 'chunk', count(*), false FROM left_chunk
    UNION ALL
    SELECT 3, 'chunk_invoice', count(*), false FROM chunk_invoice JOIN left_chunk USING (chunk_id, billing_period)
    UNION ALL
    SELECT 4, 'chunk_content', count(*), false FROM chunk_content JOIN left_chunk USING (chunk_id, billing_period)
    UNION ALL
    SELECT 5, 'load_chunk', count(*), false FROM left_place
    UNION ALL
    SELECT 6, 'charge', count(*), false
    FROM charge
    WHERE statement_month IN (SELECT statement_month FROM prune_month WHERE reason IS NULL)
    UNION ALL
    SELECT 7, 'class_charge', count(*), false
    FROM class_charge
    WHERE statement_month IN (SELECT statement_month FROM prune_month WHERE reason IS NULL)
    UNION ALL
    SELECT 8, 'job_hold', count(*), false
    FROM job_hold JOIN job USING (attempt_id)
    WHERE job.end_time <= (SELECT holds_to FROM prune_hold)
)
SELECT position, table_name, rows::bigint, is_dropped, pg_total_relation_size(table_name::regclass) AS bytes_before
FROM gone
WHERE rows > 0;
