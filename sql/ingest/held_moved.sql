-- Why a delivery is held: it no longer has a billing period, but brings lines of that period under
-- other periods. No row: it is not held.
WITH again AS (
    SELECT *, to_char(billing_period, 'YYYY-MM-DD') AS period FROM period_again WHERE lines > 0
)
SELECT format('it has no %1$s any more, but brings %2$s of the %3$s lines of %1$s (%4$s) under %5$s: they would be charged twice',
              period, lines, row_count, money, (SELECT string_agg(to_char(place, 'YYYY-MM-DD'), ', ') FROM unnest(reappears_in) AS place))
       || CASE (SELECT count(*) FROM again) WHEN 1 THEN '' ELSE format(', and so would lines of %s', (
              SELECT string_agg(more.period, ', ' ORDER BY more.period) FROM again AS more WHERE more.load_id <> again.load_id)) END,
       (SELECT string_agg(DISTINCT to_char(period, 'YYYY-MM-DD'), ' ')
        FROM (SELECT billing_period AS period FROM again UNION SELECT unnest(reappears_in) FROM again) AS kept_open)
FROM again
ORDER BY billing_period
LIMIT 1;
