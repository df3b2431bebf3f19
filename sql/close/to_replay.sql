-- The closed months to replay, in the order of their close. A pruned month is not replayed.
SELECT to_char(statement_month, 'YYYY-MM-DD')
FROM months_to_replay(ARRAY(SELECT statement_month FROM closure WHERE statement_month NOT IN (SELECT statement_month FROM pruned_month)))
JOIN closure USING (statement_month)
ORDER BY close_number;
