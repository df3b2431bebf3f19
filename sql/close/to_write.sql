-- The closed months whose workbooks have not been written into folder $1 as final, or not since
-- their journal was issued last; and its last issue.
SELECT to_char(statement_month, 'YYYY-MM-DD'), last_issue
FROM closure
LEFT JOIN (SELECT statement_month, max(issue_number) AS last_issue FROM journal_issue GROUP BY statement_month) AS issue USING (statement_month)
WHERE written_to IS DISTINCT FROM $1 OR written_issue IS DISTINCT FROM last_issue
ORDER BY statement_month;
