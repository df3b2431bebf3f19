-- The files of the line that was asked for, where they are several.
SELECT string_agg(DISTINCT file, ', ' ORDER BY file)
FROM asked
HAVING count(DISTINCT file) > 1;
