-- Sheet "Attempts" of everybody's workbook: the sum of the attempts that it does not list, and
-- where they are listed.
SELECT to_char(count(DISTINCT row.run_group), 'FM999,999,999,999') || CASE count(DISTINCT row.run_group) WHEN 1 THEN ' more result' ELSE ' more results' END AS run_group,
       format('in the workbooks of cost centres that paid: data-%s-<cost centre>.xlsx', left(current_setting('kstar.statement_month'), 7)) AS job_name,
       sum(node_hours::numeric)::double precision AS node_hours, sum(true_cost_minor)::bigint AS true_cost_minor
FROM report_attempt_row AS row
JOIN job_result USING (statement_month, attempt_id)
WHERE scope = (SELECT current_setting('kstar.cost_centre')) AND NOT is_listed
HAVING count(*) > 0;
