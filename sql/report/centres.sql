-- The cost centres that get a workbook of their own: all that are charged, and carriers that are cost centres.
SELECT DISTINCT cost_centre, cost_centre_name
FROM report_line
WHERE section IN (1, 6) OR (section = 8 AND cost_centre_name IS NOT NULL)
ORDER BY cost_centre;
