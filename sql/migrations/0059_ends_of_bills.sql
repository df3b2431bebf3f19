-- A bill whose months are those of a time zone ends with the month there, and one whose ends are inclusive ends a second before it, at 23:59:59:
-- of neither is there more to come.

-- Of each source that has a bill of the month, but those of which a later month's reaches so far (setting later_bill_days): up to when it
-- has delivered usage (tells_reach). One whose usage lines are all longer reaches as far as they do, and its later bills as far as theirs. One that
-- reaches the month's end in its source's time zone, or the last minute before it, reaches the month's end.
-- In the language whose parameters queries on several servers can have; there it reads over one connection a server, after which the
-- transaction may still make functions.
CREATE OR REPLACE FUNCTION bill_reach(of_month date) RETURNS TABLE (source text, reach timestamptz)
LANGUAGE plpgsql STABLE AS $$
DECLARE
    mode         text := coalesce(current_setting('citus.multi_shard_modify_mode', true), '');
    month_end    date := of_month + interval '1 month';
    settled_days integer := coalesce((SELECT value::integer FROM kstar.setting
                                      WHERE parameter = 'later_bill_days' AND valid_from < month_end AND valid_to >= month_end
                                      ORDER BY valid_from DESC LIMIT 1), 5);
    settled      timestamptz := (month_end + settled_days)::timestamptz;
    covered      text[] := '{}'; -- sources whose later bills reach so far, if only by lines of a month, or are of the second month after it
    ended        text[] := '{}'; -- and those that have delivered usage up to there
    later        record;
BEGIN
    IF mode <> '' THEN
        PERFORM set_config('citus.multi_shard_modify_mode', 'sequential', true);
    END IF;
    FOR later IN
        SELECT load_id, load.source, load.billing_period, statement_month
        FROM kstar.load
        JOIN kstar.current_load USING (load_id)
        WHERE statement_month > of_month AND (covered_to >= settled OR statement_month > month_end)
        ORDER BY load.source, statement_month DESC, load.billing_period
    LOOP
        covered := covered || later.source;
        CONTINUE WHEN later.source = ANY (ended);
        IF later.statement_month > month_end THEN -- of the second month after it: nobody waits any more, whatever it has
            ended := ended || later.source;
            CONTINUE;
        END IF;
        PERFORM -- the first that is found says it
        FROM kstar.load_chunk
        JOIN kstar.billing_line USING (chunk_id, billing_period)
        JOIN kstar.charge_kind USING (charge_kind_key)
        WHERE load_id = later.load_id AND billing_period = later.billing_period AND charge_period_end >= settled
          AND kstar.tells_reach(charge_category, charge_class, commitment_discount_status, charge_period_end - charge_period_start)
        LIMIT 1;
        IF FOUND THEN
            ended := ended || later.source;
        END IF;
    END LOOP;
    RETURN QUERY
        WITH bill AS (
            SELECT load_id, load.source, load.covered_to, time_zone
            FROM kstar.load
            JOIN kstar.current_load USING (load_id)
            LEFT JOIN kstar.source_configuration ON source_configuration.source = load.source AND kind = 'billing'
            WHERE statement_month = of_month AND load.source <> ALL (ended)
        )
        SELECT told.source,
               CASE WHEN coalesce(told.usage_to, told.covered_to) + interval '1 minute'
                         >= least(month_end::timestamptz, month_end::timestamp AT TIME ZONE time_zone)
                    THEN greatest(coalesce(told.usage_to, told.covered_to), month_end::timestamptz)
                    ELSE coalesce(told.usage_to, told.covered_to) END
        FROM (SELECT bill.source, max(bill.covered_to) AS covered_to, max(bill.time_zone) AS time_zone,
                     max(charge_period_end) FILTER (WHERE kstar.tells_reach(charge_category, charge_class, commitment_discount_status,
                                                                            charge_period_end - charge_period_start)) AS usage_to
              FROM bill
              JOIN kstar.load_chunk USING (load_id)
              JOIN kstar.billing_line USING (chunk_id, billing_period)
              JOIN kstar.charge_kind USING (charge_kind_key)
              WHERE billing_period >= of_month AND billing_period < month_end -- of which statement_month is the month
              GROUP BY bill.source) AS told
        WHERE told.usage_to IS NOT NULL OR told.source <> ALL (covered);
    IF mode <> '' THEN
        PERFORM set_config('citus.multi_shard_modify_mode', mode, true);
    END IF;
END
$$;
