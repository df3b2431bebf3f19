-- The exchange rate of a currency for a day (docs/amounts.md, Currency and cents). For a day in the
-- future the latest known rate counts. Which day is in the future depends on the data alone, not on
-- the clock: within the month, days after the earliest end of the bills; later, days after the
-- as-of.
CREATE TEMP TABLE rate_cutoff ON COMMIT DROP AS
SELECT (as_of AT TIME ZONE 'UTC')::date AS as_of_day, (least(as_of, bill.billed_to) AT TIME ZONE 'UTC')::date AS billed_day
FROM month
CROSS JOIN LATERAL (SELECT statement_as_of(statement_month)) AS stated (as_of)
CROSS JOIN LATERAL (SELECT min(billed_to) FROM usage_extent WHERE usage_extent.statement_month = month.statement_month AND has_rows) AS bill (billed_to)
WHERE replayed_month IS NULL;

-- A replay uses the rates that were frozen at the close. The exception is the date of an invoice
-- that was added to invoices.csv since (`is_since`): if the date is later than all frozen rates,
-- the close could not know its rate, so today's rate counts.
CREATE OR REPLACE FUNCTION pg_temp.rate_of(wanted_currency text, day date, is_since boolean DEFAULT false, OUT rate_date date,
                                           OUT rate numeric, OUT is_frozen boolean, OUT is_to_come boolean)
RETURNS SETOF record
LANGUAGE sql STABLE AS $$
    SELECT usual.rate_date, usual.rate, usual.is_frozen, false
    FROM month
    CROSS JOIN LATERAL rate_on(wanted_currency, statement_currency, day,
                               CASE WHEN is_since AND day > ALL (SELECT frozen.rate_date
                                                                 FROM exchange_rate AS frozen
                                                                 WHERE frozen.currency = wanted_currency
                                                                   AND frozen.statement_currency = month.statement_currency)
                                    THEN NULL ELSE replayed_month END) AS usual
    UNION ALL
    SELECT known.rate_date, known.rate, false, true
    FROM exchange_rate AS known
    JOIN month USING (statement_currency)
    CROSS JOIN rate_cutoff
    CROSS JOIN LATERAL (SELECT CASE WHEN day > last_day THEN as_of_day ELSE billed_day END) AS cutoff (cutoff_day)
    WHERE known.currency = wanted_currency AND day > cutoff_day AND known.rate_date BETWEEN cutoff_day - 7 AND day
    ORDER BY 4, 1 DESC
    LIMIT 1
$$;

CREATE OR REPLACE FUNCTION pg_temp.refuse_without_rate(from_currency text, day date, what text) RETURNS void
LANGUAGE plpgsql AS $$
BEGIN
    RAISE EXCEPTION 'no exchange rate from % to % for %', from_currency, (SELECT statement_currency FROM month), day
        USING ERRCODE = 'KS002', DETAIL = what,
              HINT = 'add the rate to reference/exchange_rates.csv, or set statement_currency in reference/settings.csv';
END
$$;
