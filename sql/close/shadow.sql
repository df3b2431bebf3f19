-- A replay of a closed month (kstar.replayed_month) runs the same steps as publishing. Temporary
-- tables hide the tables of the same names that it must not read or change: choices, here as they
-- were frozen, and all published tables. The dated rules follow in allocate/01_rules.sql.
DO $$
DECLARE
    replayed date := current_setting('kstar.replayed_month')::date;
    shadowed text;
BEGIN
    FOR shadowed IN SELECT unnest(choice_tables()) EXCEPT SELECT unnest(dated_rule_tables()) LOOP
        EXECUTE format('CREATE TEMP TABLE %1$I (LIKE kstar.%1$I) ON COMMIT DROP', shadowed);
        EXECUTE format('INSERT INTO %1$I SELECT (jsonb_populate_record(NULL::kstar.%1$I, content)).*
                        FROM frozen_reference WHERE statement_month = $1 AND table_name = %1$L', shadowed) USING replayed;
    END LOOP;
    FOREACH shadowed IN ARRAY published_tables() LOOP
        EXECUTE format('CREATE TEMP TABLE %1$I (LIKE kstar.%1$I INCLUDING DEFAULTS) ON COMMIT DROP', shadowed);
    END LOOP;
END
$$;

-- For an invoice that the close did not have, today's row of invoices.csv counts.
INSERT INTO pg_temp.invoice_amount
SELECT * FROM kstar.invoice_amount_since(current_setting('kstar.replayed_month')::date);
