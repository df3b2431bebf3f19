-- The late choices by file and line: the closed months in which each is valid, its day if it is
-- valid on one day, and from when on it counts.
SELECT path, line,
       coalesce(to_char(min(day), 'YYYY-MM-DD') || ', in ', '')
           || string_agg(to_char(statement_month, 'YYYY-MM'), ', ' ORDER BY statement_month)
           || CASE count(*) WHEN 1 THEN ', which is closed' ELSE ', which are closed' END,
       to_char((SELECT (max(statement_month) + interval '1 month') FROM closure), 'YYYY-MM-DD')
FROM late_choice
JOIN staged_reference_file USING (file)
GROUP BY path, line
ORDER BY path COLLATE "C", line;
