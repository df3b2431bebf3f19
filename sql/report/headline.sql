-- The first lines of a workbook: the dearest flag in words, what kstar could not see, how much was
-- judged and how surely, and what can be saved. Of one cost centre its own jobs.
SELECT headline, coverage, judged, measured, saving
FROM report_headline
WHERE scope = current_setting('kstar.cost_centre');
