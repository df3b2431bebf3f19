-- Sheet "Summary": the ten most expensive findings in words; the sheet Open items has all.
SELECT minor_units, finding, kind
FROM finding
WHERE statement_month = current_setting('kstar.statement_month')::date
ORDER BY rank
LIMIT 10;
