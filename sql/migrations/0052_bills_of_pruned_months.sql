-- A bill that still names a pruned month (a file of the year to date) was refused whole, with its new months. It is compared with what the
-- month's loads came to when they were pruned; their lines are gone, and so nothing of it is taken.

-- The money of the current loads of a pruned month, quarantined rows included; their rows are counted in load.
CREATE TABLE pruned_load (
    statement_month  date NOT NULL REFERENCES pruned_month,
    source           text NOT NULL,
    billing_period   date NOT NULL,
    billing_currency text NOT NULL,
    billed_cost      numeric NOT NULL,
    effective_cost   numeric NOT NULL,
    PRIMARY KEY (source, billing_period, billing_currency)
);

-- Of months that are pruned already the parts of the closed statement say it, where the loads have not been replaced since.
INSERT INTO pruned_load (statement_month, source, billing_period, billing_currency, billed_cost, effective_cost)
SELECT load.statement_month, load.source, load.billing_period, billing_currency, sum(billed_cost), sum(effective_cost)
FROM pruned_invoice
JOIN invoice USING (invoice_key)
JOIN load ON load.statement_month = pruned_invoice.statement_month AND load.source = invoice.source
         AND load.billing_period = invoice.billing_period::date
JOIN current_load USING (load_id)
JOIN closure_load USING (load_id)
GROUP BY load.statement_month, load.source, load.billing_period, billing_currency;

DROP FUNCTION refuse_pruned(date);
