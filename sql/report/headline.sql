-- The first lines of a workbook and of a page: what the month cost, what can be saved, what kstar
-- could not see, the dearest flag in words (where none is, that says so instead of the saving), and
-- how much was judged, and how surely. Of one cost centre its own.
SELECT cost, coalesce(saving, headline) AS saving, coverage, CASE WHEN saving IS NOT NULL THEN headline END AS headline, judged, measured
FROM report_headline
WHERE scope = current_setting('kstar.cost_centre');
