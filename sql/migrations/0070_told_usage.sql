-- What a delivery covers was told by each of its Usage lines: a month of support beside daily lines, which stands to the month's end from the
-- first day on, hid that days were gone, and a correction of an earlier month that went was days that were. Chunks and loads now know the time of
-- the lines that tell: Usage of a week or less, no correction, and not what was not used of a commitment (tells_usage, ingest/bill/billing_reader.c).
SELECT set_config('citus.multi_shard_modify_mode', 'sequential', true); -- over several servers: else no function may follow a table

ALTER TABLE chunk ADD COLUMN told_from timestamptz, ADD COLUMN told_to timestamptz; -- null: it has no such line
ALTER TABLE load ADD COLUMN told_from timestamptz, ADD COLUMN told_to timestamptz;

CREATE TEMPORARY TABLE told_chunk ON COMMIT DROP AS
SELECT chunk_id, billing_period, min(charge_period_start) AS told_from, max(charge_period_end) AS told_to
FROM billing_line
JOIN charge_kind USING (charge_kind_key)
WHERE tells_reach(charge_category, charge_class, commitment_discount_status, charge_period_end - charge_period_start)
GROUP BY chunk_id, billing_period;

UPDATE chunk
SET told_from = told_chunk.told_from, told_to = told_chunk.told_to
FROM told_chunk
WHERE chunk.chunk_id = told_chunk.chunk_id AND chunk.billing_period = told_chunk.billing_period;

UPDATE load
SET told_from = told.told_from, told_to = told.told_to
FROM (SELECT load_id, min(told_from) AS told_from, max(told_to) AS told_to
      FROM load_chunk
      JOIN chunk USING (chunk_id, billing_period)
      GROUP BY load_id) AS told
WHERE load.load_id = told.load_id;

-- How far the bill of a source for a month reaches: up to where it tells of usage; one whose usage lines are all longer, as far as they do, and
-- at most to the month's end.
CREATE VIEW usage_reach AS
SELECT source, statement_month, bool_or(row_count > 0) AS has_rows, max(told_to) AS told_to, max(covered_to) AS covered_to,
       coalesce(max(told_to), least(max(covered_to), (statement_month + interval '1 month')::timestamptz)) AS reach
FROM load
JOIN current_load USING (load_id, source)
GROUP BY source, statement_month;

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

DROP FUNCTION tells_reach(text, text, text, interval);
