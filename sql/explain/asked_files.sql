-- The files that have the line asked for, if there are several.
SELECT string_agg(DISTINCT file, ', ' ORDER BY file)
FROM asked
HAVING count(DISTINCT file) > 1;
