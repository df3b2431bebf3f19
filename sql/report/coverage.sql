-- Sheet "Open items", and "Summary" of a cost centre: what kstar could not see, its money, and how
-- to correct it.
SELECT item, minor_units,
       concat(quantity_text(quantity), ' of ' || quantity_text(whole), ' ' || unit) AS extent, jobs, concat_ws('. ', meaning, 'Mend: ' || mend) AS meaning
FROM report_coverage
WHERE scope = current_setting('kstar.cost_centre')
ORDER BY position;
