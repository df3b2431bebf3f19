-- Sheet "About": the files that the statement was made from. A cost centre's own workbook has their hashes without
-- their names, which may be somebody else's.
WITH month AS (
    SELECT current_setting('kstar.statement_month')::date AS statement_month
), used AS (
    SELECT delivery_id FROM load JOIN current_load USING (load_id) JOIN month USING (statement_month)
    UNION
    SELECT delivery_id FROM job JOIN job_result USING (attempt_id) JOIN month USING (statement_month)
    UNION
    SELECT delivery_id FROM measurement
)
SELECT kind, path, sha256, bytes
FROM (SELECT delivery.kind,
             CASE WHEN current_setting('kstar.cost_centre') = '' THEN delivery.label || '/' || path END AS path,
             source_file.sha256, bytes
      FROM used JOIN delivery USING (delivery_id) JOIN source_file USING (delivery_id)
      UNION ALL
      SELECT 'reference', CASE WHEN current_setting('kstar.cost_centre') = '' THEN 'reference/' || name END, sha256, NULL
      FROM reference_file) AS file
ORDER BY kind COLLATE "C", path COLLATE "C", sha256;
