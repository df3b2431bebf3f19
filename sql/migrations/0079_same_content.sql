-- A bill was known by the bytes of its files alone: a copy that was packed or sorted otherwise was charged a second
-- time. Now its lines are hashed as they were read (ingest/bill/billing_content.h), and hashes add up. What was loaded
-- before this migration has no hash until it is delivered anew: it is nobody's original before that.

CREATE FUNCTION content_modulo(content numeric) RETURNS numeric
LANGUAGE sql IMMUTABLE
RETURN content % 340282366920938463463374607431768211456; -- 2^128

CREATE AGGREGATE content_sum(numeric) (SFUNC = numeric_add, STYPE = numeric, INITCOND = '0', FINALFUNC = content_modulo);

-- A row that could not be read counts by its text; one that kstar made itself (ingest/billing_reject_cancelled.sql) has
-- only its reason.
CREATE FUNCTION rejected_content(raw bytea, reason text) RETURNS numeric
LANGUAGE sql IMMUTABLE
RETURN (SELECT (hashtextextended(said, 0)::numeric + 9223372036854775808)
               + (hashtextextended(said, 1)::numeric + 9223372036854775808) * 18446744073709551616
        FROM (SELECT CASE WHEN raw = '' THEN reason ELSE encode(raw, 'hex') END AS said) AS row);

-- What a chunk holds of an account in a currency.
CREATE TABLE chunk_content (
    chunk_id         bigint NOT NULL,
    billing_period   date NOT NULL,
    account_key      bigint NOT NULL,  -- 0: none
    billing_currency text NOT NULL,
    money_rows       integer NOT NULL, -- lines with billed or effective cost
    billed_cost      numeric NOT NULL,
    content          numeric NOT NULL, -- sum of the lines' hashes modulo 2^128
    PRIMARY KEY (chunk_id, billing_period, account_key, billing_currency)
);

-- The same of a file of a load, rows that could not be read included: of current loads, and of those that a closed
-- statement was made of.
CREATE TABLE load_content (
    load_id          integer NOT NULL REFERENCES load ON DELETE CASCADE,
    file_id          integer NOT NULL,
    account_key      bigint NOT NULL,
    billing_currency text NOT NULL,    -- '': rows whose currency could not be read
    money_rows       bigint NOT NULL,
    billed_cost      numeric NOT NULL,
    content          numeric NOT NULL,
    PRIMARY KEY (load_id, file_id, account_key, billing_currency)
);

-- Two sources that deliver alike, and somebody has said that both count: nobody is asked again.
CREATE TABLE accepted_repeat (
    source          text NOT NULL,
    repeated_source text NOT NULL,
    account_key     bigint NOT NULL,
    PRIMARY KEY (source, repeated_source, account_key)
);

-- The latest other files in which the same lines came under the same label: they are not read again.
ALTER TABLE delivery ADD COLUMN other_sha256 text, ADD COLUMN other_bytes bigint;

-- What a delivery repeats of that which counts under other sources, and nobody has accepted: the lines of an account in
-- a file or in all files (no file), held against those of the account in a file or in all files there. Without money
-- nothing is charged twice.
CREATE FUNCTION repeated_content(of_delivery integer)
RETURNS TABLE (billing_period date, account_key bigint, billing_currency text, billed_cost numeric, file_id integer, source text,
               repeated_source text, repeated_delivery integer, repeated_file integer)
LANGUAGE sql STABLE
BEGIN ATOMIC
    WITH compared AS (
        SELECT load_id, delivery_id, load.source, load.billing_period FROM load WHERE delivery_id = of_delivery
        UNION ALL
        SELECT load_id, delivery_id, load.source, load.billing_period
        FROM load
        JOIN current_load USING (load_id)
        JOIN (SELECT load.source, load.billing_period FROM load WHERE delivery_id = of_delivery) AS incoming
          ON incoming.billing_period = load.billing_period AND incoming.source <> load.source
    ), part AS (
        SELECT compared.delivery_id, compared.source, compared.billing_period, held.account_key, held.billing_currency, held.file_id,
               sum(held.money_rows) AS money_rows, sum(held.billed_cost) AS billed_cost, content_sum(held.content) AS content
        FROM compared
        JOIN load_content AS held USING (load_id)
        GROUP BY compared.delivery_id, compared.source, compared.billing_period, held.account_key, held.billing_currency,
                 GROUPING SETS ((held.file_id), ())
        HAVING sum(held.money_rows) > 0
    )
    SELECT copy.billing_period, copy.account_key, copy.billing_currency, copy.billed_cost, copy.file_id, copy.source,
           original.source, original.delivery_id, original.file_id
    FROM part AS copy
    JOIN part AS original USING (billing_period, account_key, billing_currency, money_rows, content)
    WHERE copy.delivery_id = of_delivery AND original.delivery_id <> of_delivery
      AND NOT EXISTS (SELECT
                      FROM accepted_repeat AS accepted
                      WHERE accepted.account_key = copy.account_key
                        AND (accepted.source, accepted.repeated_source) IN ((copy.source, original.source), (original.source, copy.source)));
END;
