-- What a replay bills by invoice. An invoice of a closed month was held against its bill until the close and never again: one that came
-- afterwards, or a bill that was restated, was compared with nothing. And one that a replay bills for the first time never had its own date.
CREATE TABLE replayed_invoice (
    statement_month     date NOT NULL REFERENCES replay ON DELETE CASCADE,
    invoice_key         bigint NOT NULL,
    source              text NOT NULL,
    invoice_issuer_name text,
    invoice_id          text,
    billing_currency    text NOT NULL,
    line_count          bigint NOT NULL,  -- quarantined ones included
    billed_cost         numeric NOT NULL, -- exact, billing currency
    takes_date          boolean NOT NULL, -- its rate goes by invoices.csv as it is today: the close did not have it
    invoice_date        date,             -- of such a one, as the replay had it; null: there was none
    PRIMARY KEY (statement_month, invoice_key)
);

-- Months that were replayed before are replayed once more to have it, and have what they were closed with until then. A pruned one stays so.
INSERT INTO replayed_invoice (statement_month, invoice_key, source, invoice_issuer_name, invoice_id, billing_currency, line_count, billed_cost,
                              takes_date)
SELECT statement_month, invoice_key, source, invoice_issuer_name, invoice_id, billing_currency, line_count + quarantined_count, billed_cost, false
FROM statement_invoice
WHERE statement_month IN (SELECT statement_month FROM replay);
UPDATE replay SET facts_sha256 = '' WHERE statement_month NOT IN (SELECT statement_month FROM pruned_month);
