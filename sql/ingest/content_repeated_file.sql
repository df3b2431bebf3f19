-- Two files of delivery $1 with the same lines, or a file that has the lines of all others
-- together. No row: there are none.
WITH file AS (
    SELECT file_id, path, sum(money_rows) AS money_rows, content_sum(content) AS content
    FROM load
    JOIN load_content USING (load_id)
    JOIN source_file USING (file_id)
    WHERE load.delivery_id = $1
    GROUP BY file_id, path
), repeated AS (
    SELECT 1 AS position, file.path, again.path AS other, file.money_rows
    FROM file
    JOIN file AS again USING (money_rows, content)
    WHERE file.path COLLATE "C" < again.path COLLATE "C"
    UNION ALL
    SELECT 2, path, 'the other files together', money_rows
    FROM (SELECT *, sum(money_rows) OVER () AS all_rows, content_sum(content) OVER () AS all_content FROM file) AS whole
    WHERE 2 * money_rows = all_rows AND content_modulo(2 * content) = all_content
)
SELECT path, other
FROM repeated
WHERE money_rows > 0
ORDER BY position, path COLLATE "C", other COLLATE "C"
LIMIT 1;
