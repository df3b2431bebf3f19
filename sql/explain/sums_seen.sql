-- The exact sum of a reader's parts, beside the statement in cents.
WITH month AS (
    SELECT current_setting('kstar.statement_month')::date AS statement_month, current_setting('kstar.explain_by') AS by,
           current_setting('kstar.explain_name') AS name
), stated AS (
    SELECT 'statement: ' || component AS what, NULL::numeric AS exact, sum(amount) AS charged, min(component_position) AS place
    FROM kstar_views.report_statement
    JOIN month USING (statement_month)
    WHERE component IS NOT NULL AND cost_centre IS NOT NULL AND (by = 'month' OR by = 'cost centre' AND cost_centre = name)
    GROUP BY component
    UNION ALL
    SELECT 'statement: true cost of job ' || cluster || '/' || job_id, NULL, true_cost, 0
    FROM kstar_views.report_job
    JOIN month USING (statement_month)
    WHERE by = 'job' AND (cluster, job_id) IN (SELECT cluster, job_id FROM asked)
)
SELECT what, exact, charged, true AS is_same
FROM (SELECT what, exact, charged, place, 1 AS turn FROM stated
      UNION ALL
      SELECT 'together', NULL, sum(charged), 0, 2 FROM stated HAVING count(*) > 0
      UNION ALL
      SELECT 'the parts above', trim_scale(sum(amount)), NULL, 0, 3 FROM asked) AS sum_line
ORDER BY turn, place, what COLLATE "C";
