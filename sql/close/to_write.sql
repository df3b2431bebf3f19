-- The closed months whose final workbooks were not written into folder $1, or not since the last
-- issue of their journal; with that issue.
SELECT to_char(statement_month, 'YYYY-MM-DD'), last_issue
FROM closure
LEFT JOIN (SELECT statement_month, max(issue_number) AS last_issue FROM journal_issue GROUP BY statement_month) AS issue USING (statement_month)
WHERE written_to IS DISTINCT FROM $1 OR written_issue IS DISTINCT FROM last_issue
ORDER BY statement_month;
