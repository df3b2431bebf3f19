-- How many statements are open, and their months.
SELECT count(*), coalesce(string_agg(to_char(statement_month, 'YYYY-MM'), ', ' ORDER BY statement_month), 'none')
FROM statement
WHERE status = 'Preliminary';
