-- The first lines of the review: what can be saved, before the dearest flag, how much was judged
-- and what was not seen.
SELECT coalesce(saving, headline), CASE WHEN saving IS NOT NULL THEN headline END, judged, coverage
FROM report_headline
WHERE scope = '';
