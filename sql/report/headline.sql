-- The first lines of a workbook and of a page: the month's cost, what can be saved, what kstar
-- could not see, the dearest flag in words, how many jobs were judged, and how sure the verdicts
-- are. If there is no flag, a sentence about that replaces the saving.
SELECT cost, coalesce(saving, headline) AS saving, coverage, CASE WHEN saving IS NOT NULL THEN headline END AS headline, judged, measured
FROM report_headline
WHERE scope = current_setting('kstar.cost_centre');
