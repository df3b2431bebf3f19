-- Sheet "Summary": the findings in words, most expensive first.
SELECT rank, minor_units, finding, kind
FROM finding
WHERE statement_month = current_setting('kstar.statement_month')::date
ORDER BY rank;
