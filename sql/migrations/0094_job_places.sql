-- Each night brings the accounting file of the month with one more day: every record and all of its nodes were written again. Now a record
-- that says what job has is left as it is. Which delivery said it last goes on to be known, and is all that is written.
SELECT set_config('citus.multi_shard_modify_mode', 'sequential', true); -- over several servers: else no function may follow a table

ALTER TABLE job ADD COLUMN record_hash bigint; -- of what the record says that the row was made of; null: not to be compared

CREATE TABLE job_place (
    attempt_id  bigint PRIMARY KEY,
    delivery_id integer NOT NULL, -- the last one that said what job has
    line_number bigint NOT NULL
) WITH (fillfactor = 45); -- half of a page is room for the next night's rows, in the place of which the night after writes
INSERT INTO job_place (attempt_id, delivery_id, line_number)
SELECT attempt_id, delivery_id, line_number FROM job;

-- As 0034 has it, with the files of the lines that are left of an earlier delivery (0083).
CREATE OR REPLACE VIEW used_file AS
WITH used AS (
    SELECT statement_month, delivery_id FROM statement_load JOIN load USING (load_id, statement_month)
    UNION
    SELECT statement_month, rest_of FROM statement_load JOIN load USING (load_id, statement_month) WHERE rest_of IS NOT NULL
    UNION
    SELECT adjustment.statement_month, delivery_id
    FROM adjustment JOIN load ON load.statement_month = adjusted_month JOIN current_load USING (load_id)
    UNION
    SELECT statement_month, delivery_id FROM job_result JOIN job_place USING (attempt_id)
    UNION
    SELECT statement_month, delivery_id FROM statement CROSS JOIN measurement
    UNION
    SELECT statement_month, delivery_id
    FROM statement
    JOIN delivered_node ON start_time < (statement_month + interval '1 month')::timestamptz
                       AND coalesce(end_time, 'infinity') > statement_month::timestamptz
)
SELECT statement_month, kind, label || '/' || path AS path, source_file.sha256, bytes
FROM used JOIN delivery USING (delivery_id) JOIN source_file USING (delivery_id)
UNION ALL
SELECT statement_month, 'reference', 'reference/' || name, sha256, NULL
FROM statement CROSS JOIN reference_file
WHERE name <> 'readers.csv';

ALTER TABLE job DROP COLUMN delivery_id, DROP COLUMN file_id, DROP COLUMN line_number;
