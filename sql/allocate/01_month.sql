-- The month at hand: one row that every other step reads.

-- The value of a setting on a day, or its default.
CREATE OR REPLACE FUNCTION pg_temp.setting_on(name text, day date, default_value text) RETURNS text
LANGUAGE sql STABLE
RETURN coalesce((SELECT value FROM setting -- the one in force, or in a replay the frozen one
                 WHERE parameter = name AND valid_from <= day AND day < valid_to
                 ORDER BY valid_from DESC LIMIT 1), default_value);

CREATE TEMP TABLE month ON COMMIT DROP AS
WITH requested AS (
    SELECT current_setting('kstar.statement_month')::date                     AS statement_month,
           nullif(current_setting('kstar.replayed_month', true), '')::date    AS replayed_month
), bounds AS (
    SELECT statement_month, replayed_month, -- the same in a replay, else null
           statement_month::timestamptz                        AS month_start,
           (statement_month + interval '1 month')::timestamptz AS month_end,
           (statement_month + interval '1 month')::date - 1    AS last_day
    FROM requested
)
SELECT bounds.*,
       pg_temp.setting_on('statement_currency', last_day, 'USD')                 AS statement_currency,
       coalesce((SELECT digits FROM currency_minor_unit
                 WHERE currency = pg_temp.setting_on('statement_currency', last_day, 'USD')), 2)
                                                                                 AS minor_unit_digits,
       pg_temp.setting_on('job_tag_key', last_day, 'job_id')                     AS job_tag_key,
       pg_temp.setting_on('waiting_cost_per_hour', last_day, '0')::numeric       AS waiting_cost_per_hour,
       pg_temp.setting_on('near_k_star_share', last_day, '0.05')::numeric        AS near_k_star_share
FROM bounds;

-- Deliveries have just changed these; the plans below depend on how large they are.
ANALYZE month;
ANALYZE job, job_node, measurement, node_inventory, mapping_rule, pool_rule;
ANALYZE invoice, account, resource, sku, commitment, charge_kind, charge_description, tag_set;

-- A statement is replaced as a whole, in this transaction.
DELETE FROM line_part         USING month WHERE line_part.statement_month = month.statement_month;
DELETE FROM shared_part       USING month WHERE shared_part.statement_month = month.statement_month;
DELETE FROM statement_invoice USING month WHERE statement_invoice.statement_month = month.statement_month;
DELETE FROM statement_row     USING month WHERE statement_row.statement_month = month.statement_month;
DELETE FROM job_result        USING month WHERE job_result.statement_month = month.statement_month;
DELETE FROM family_fit        USING month WHERE family_fit.statement_month = month.statement_month;
DELETE FROM family_curve      USING month WHERE family_curve.statement_month = month.statement_month;
DELETE FROM statement_note    USING month WHERE statement_note.statement_month = month.statement_month;
DELETE FROM adjustment        USING month WHERE adjustment.statement_month = month.statement_month;
DELETE FROM adjustment_proof  USING month WHERE adjustment_proof.statement_month = month.statement_month;
DELETE FROM finding           USING month WHERE finding.statement_month = month.statement_month;
DELETE FROM statement         USING month WHERE statement.statement_month = month.statement_month;

-- Requests to the two shared steps, split.sql and cents.sql.
CREATE TEMP TABLE split_request (
    request_id     bigint NOT NULL,  -- one amount to split
    part           integer NOT NULL, -- the order that decides ties
    weight         numeric NOT NULL, -- >= 0; Σ > 0 within a request
    billed_cost    numeric NOT NULL, -- the whole amount, the same in every part
    effective_cost numeric NOT NULL
) ON COMMIT DROP;
CREATE TEMP TABLE split_result (
    request_id     bigint NOT NULL,
    part           integer NOT NULL,
    billed_cost    numeric NOT NULL,
    effective_cost numeric NOT NULL
) ON COMMIT DROP;
CREATE TEMP TABLE cents_request (
    request_id   bigint NOT NULL,    -- one parent
    part         bigint NOT NULL,    -- the order that decides ties
    amount       numeric NOT NULL,   -- exact, statement currency
    parent_minor bigint NOT NULL     -- whole minor units of the parent, the same in every part
) ON COMMIT DROP;
CREATE TEMP TABLE cents_result (
    request_id  bigint NOT NULL,
    part        bigint NOT NULL,
    minor_units bigint NOT NULL
) ON COMMIT DROP;
