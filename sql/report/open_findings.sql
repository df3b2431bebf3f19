-- Sheet "Open items": all findings in words, most expensive first. The sheet Summary shows the
-- first ten.
SELECT kind, minor_units, finding
FROM finding
WHERE statement_month = current_setting('kstar.statement_month')::date AND current_setting('kstar.cost_centre') = ''
ORDER BY rank;
