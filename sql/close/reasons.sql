-- The reasons why the statement of month $1 cannot be closed, one a row. No row: it can. If $2 is
-- true, these are accepted: node cost without job records yet, runs missing from later exports, and
-- bills that end early, are missing or held. The month must be over by the clock even then. A bill
-- held because lines may have moved is never accepted: either answer changes what is charged. The
-- caller has made sure that the statement is current.
WITH bill AS MATERIALIZED (
    SELECT source, billed_to, is_missing, ($1::date + interval '1 month')::timestamptz AS month_end FROM bill_extent($1::date)
)
SELECT reason
FROM (
    SELECT 1 AS position, to_char(statement_month, 'YYYY-MM') || ' is still open: months are closed in their order' AS reason
    FROM (SELECT statement_month FROM open_month
          UNION SELECT statement_month FROM statement WHERE status = 'Preliminary') AS open
    WHERE statement_month < $1::date
    UNION ALL
    SELECT 2, 'the data end at ' || to_char(as_of, 'YYYY-MM-DD HH24:MI') || ': the month is not over'
    FROM statement
    WHERE statement_month = $1::date AND as_of < (statement_month + interval '1 month')::timestamptz
      AND NOT ($2::boolean AND clock_timestamp() >= (statement_month + interval '1 month')::timestamptz)
      AND NOT EXISTS (SELECT FROM bill WHERE billed_to >= month_end)
    UNION ALL
    SELECT 2, 'the bill of ' || source || ' ends at ' || to_char(billed_to, 'YYYY-MM-DD HH24:MI')
              || ': the rest of the month is not delivered'
    FROM bill
    WHERE NOT $2::boolean AND billed_to < month_end
    UNION ALL
    SELECT 2, source || ' has delivered no bill of ' || to_char($1::date, 'YYYY-MM') || ', as it did of '
              || to_char($1::date - interval '1 month', 'YYYY-MM')
    FROM bill
    WHERE NOT $2::boolean AND is_missing
    UNION ALL
    SELECT 2, 'no source has delivered a bill of ' || to_char($1::date, 'YYYY-MM')
    WHERE NOT $2::boolean AND NOT EXISTS (SELECT FROM usage_extent WHERE statement_month >= $1::date)
      AND NOT EXISTS (SELECT FROM bill WHERE is_missing)
    UNION ALL
    SELECT 2, label || ' is held: ' || reason
              || CASE WHEN asks_if_moved AND $2::boolean THEN '; --accept-incomplete is no answer: ' || answers ELSE '' END
    FROM held_delivery
    WHERE (asks_if_moved OR NOT $2::boolean) AND EXISTS (SELECT FROM unnest(billing_periods) AS period WHERE date_trunc('month', period)::date = $1::date)
    UNION ALL
    SELECT 3, concat_ws(' - ', kind || ': ' || subject, nullif(concat_ws(' ', trim_scale(quantity), unit), ''), note)
    FROM statement_note
    WHERE statement_month = $1::date AND blocks_close AND NOT ($2::boolean AND kind IN ('awaiting job records', 'runs missing from later exports'))
) AS reasons
ORDER BY position, reason COLLATE "C";
