-- A month was closed while the whole bill of a source was missing: asked was only how far the bills reach that are there.

-- Of each source that has a bill of the month, or of the month before and none of this one (is_missing), but those of which a later month's
-- reaches so far (setting later_bill_days): how far it does. A later bill of a source whose usage lines are all longer reaches as far as they
-- do. A bill that reaches the month's end in its source's time zone, or the last minute before it, reaches the month's end.
DROP FUNCTION bill_reach(date);
CREATE FUNCTION bill_reach(of_month date) RETURNS TABLE (source text, reach timestamptz, is_missing boolean)
LANGUAGE sql STABLE
BEGIN ATOMIC
    WITH month AS (
        SELECT month_end,
               (month_end + coalesce((SELECT value::integer FROM kstar.setting
                                      WHERE parameter = 'later_bill_days' AND valid_from < month_end AND valid_to >= month_end
                                      ORDER BY valid_from DESC LIMIT 1), 5))::timestamptz AS settled
        FROM (SELECT (of_month + interval '1 month')::date) AS bounds (month_end)
    ), later AS ( -- of the second month after it: nobody waits any more, whatever it has
        SELECT usage_reach.source,
               bool_or(statement_month > month_end OR told_to >= settled)    AS is_told,
               bool_or(statement_month > month_end OR covered_to >= settled) AS is_covered -- if only by lines of a month
        FROM kstar.usage_reach
        CROSS JOIN month
        WHERE statement_month > of_month
        GROUP BY usage_reach.source
    ), bill AS (
        SELECT source, reach, told_to, false AS is_missing
        FROM kstar.usage_reach
        WHERE statement_month = of_month AND has_rows
        UNION ALL
        SELECT source, NULL, told_to, true
        FROM kstar.usage_reach
        WHERE statement_month = of_month - interval '1 month' AND has_rows
          AND source NOT IN (SELECT source FROM kstar.usage_reach WHERE statement_month = of_month)
    )
    SELECT bill.source,
           CASE WHEN bill.reach + interval '1 minute' >= least(month_end::timestamptz, month_end::timestamp AT TIME ZONE time_zone)
                THEN greatest(bill.reach, month_end::timestamptz)
                ELSE bill.reach END,
           is_missing
    FROM bill
    CROSS JOIN month
    LEFT JOIN kstar.source_configuration ON source_configuration.source = bill.source AND kind = 'billing'
    LEFT JOIN later ON later.source = bill.source
    WHERE is_told IS NOT TRUE AND (told_to IS NOT NULL OR is_covered IS NOT TRUE);
END;
