-- The first lines of a workbook: the dearest flag in words, how much was judged, and what can be saved. Of one cost
-- centre its own jobs.
SELECT headline_text(statement_month, centre), coverage_text(statement_month, centre), saving_text(statement_month, centre)
FROM (SELECT current_setting('kstar.statement_month')::date, nullif(current_setting('kstar.cost_centre'), '')) AS book (statement_month, centre);
