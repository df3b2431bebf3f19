-- What kstar could not see, as on the sheet "Open items" (report/coverage.sql), with the file that
-- would correct it. Cost that "Unallocated" lists (page/open.sql) is not repeated here.
SELECT item AS what, jobs::text AS jobs, quantity_text(quantity) || ' ' || unit AS hours, pg_temp.page_money(minor_units) AS amount,
       split_part(mend, ': ', 1) AS file, substr(mend, length(split_part(mend, ': ', 1)) + 3) AS mend
FROM report_coverage
WHERE scope = current_setting('kstar.cost_centre') AND item NOT IN ('Cost without rule', 'Jobs without cost centre', 'Time without job records')
ORDER BY position;
