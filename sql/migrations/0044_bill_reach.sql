-- How far the bills of a month reach, told alike for the close and for the months that forecasts go by.

-- Of each source that has a bill of the month, but those of which a later month's has come: up to when it has delivered usage
-- (tells_reach). One whose usage lines are all longer reaches as far as they do. In the language whose parameters queries on several servers
-- can have; there it reads over one connection a server, after which the transaction may still make functions.
CREATE FUNCTION bill_reach(of_month date) RETURNS TABLE (source text, reach timestamptz)
LANGUAGE plpgsql STABLE AS $$
DECLARE
    mode text := coalesce(current_setting('citus.multi_shard_modify_mode', true), '');
BEGIN
    IF mode <> '' THEN
        PERFORM set_config('citus.multi_shard_modify_mode', 'sequential', true);
    END IF;
    RETURN QUERY
        WITH bill AS (
            SELECT load_id, load.source, load.covered_to
            FROM kstar.load
            JOIN kstar.current_load USING (load_id)
            WHERE statement_month = of_month
              AND NOT EXISTS (SELECT FROM kstar.load AS later JOIN kstar.current_load USING (load_id)
                              WHERE later.source = load.source AND later.statement_month > of_month AND later.covered_to IS NOT NULL)
        )
        SELECT bill.source,
               coalesce(max(charge_period_end) FILTER (WHERE kstar.tells_reach(charge_category, charge_class, commitment_discount_status,
                                                                               charge_period_end - charge_period_start)),
                        max(bill.covered_to))
        FROM bill
        JOIN kstar.load_chunk USING (load_id)
        JOIN kstar.billing_line USING (chunk_id, billing_period)
        JOIN kstar.charge_kind USING (charge_kind_key)
        WHERE billing_period >= of_month AND billing_period < of_month + interval '1 month' -- of which statement_month is the month
        GROUP BY bill.source;
    IF mode <> '' THEN
        PERFORM set_config('citus.multi_shard_modify_mode', mode, true);
    END IF;
END
$$;
