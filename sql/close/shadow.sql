-- A replay of a closed month (kstar.replayed_month) runs the very steps of a publication. What it
-- must not see or touch has a temporary table of the same name before it: frozen choices instead of
-- today's, and everything that is published. The rules by date follow in allocate/01_rules.sql.
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

-- The numbers that open invoices of the close have got since: an invoice of the same source, period
-- and currency.
CREATE TEMP TABLE named_since ON COMMIT DROP AS
SELECT DISTINCT named.invoice_id, named.invoice_issuer_name, named.billing_currency
FROM kstar.statement_invoice AS closed
JOIN kstar.invoice AS unnamed USING (invoice_key)
JOIN kstar.invoice AS named ON named.source = unnamed.source AND named.billing_period = unnamed.billing_period
                           AND named.billing_currency = unnamed.billing_currency
WHERE closed.statement_month = current_setting('kstar.replayed_month')::date AND closed.invoice_id IS NULL AND named.invoice_id IS NOT NULL
  AND coalesce(unnamed.invoice_issuer_name = named.invoice_issuer_name, true);

-- An invoice that the close did not have, neither in invoices.csv nor in its bill, if only without
-- a number, is as invoices.csv has it today.
INSERT INTO pg_temp.invoice_amount
SELECT today.*
FROM kstar.invoice_amount AS today
WHERE NOT EXISTS (SELECT FROM pg_temp.invoice_amount AS frozen
                  WHERE frozen.invoice_id = today.invoice_id AND frozen.invoice_issuer_name = today.invoice_issuer_name
                    AND frozen.currency = today.currency)
  AND NOT EXISTS (SELECT FROM kstar.statement_invoice AS closed
                  WHERE statement_month = current_setting('kstar.replayed_month')::date
                    AND closed.invoice_id = today.invoice_id
                    AND coalesce(closed.invoice_issuer_name, today.invoice_issuer_name) = today.invoice_issuer_name
                    AND closed.billing_currency = today.currency)
  AND NOT EXISTS (SELECT FROM named_since AS named
                  WHERE named.invoice_id = today.invoice_id AND named.billing_currency = today.currency
                    AND coalesce(named.invoice_issuer_name, today.invoice_issuer_name) = today.invoice_issuer_name);
