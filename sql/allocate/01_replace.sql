-- The statement of the month is made anew: what was published of it goes, in this transaction, and the shared steps get their tables.

-- Deliveries have just changed these; the plans below depend on how large they are.
SELECT analyze_tables('job', 'job_node', 'measurement', 'node_inventory', 'mapping_rule', 'pool_rule');
SELECT analyze_tables('invoice', 'account', 'resource', 'sku', 'commitment', 'charge_kind', 'charge_description', 'tag_set');

-- A statement is replaced as a whole, in this transaction.
DELETE FROM line_part         USING month WHERE line_part.statement_month = month.statement_month;
DELETE FROM shared_part       USING month WHERE shared_part.statement_month = month.statement_month;
DELETE FROM statement_invoice USING month WHERE statement_invoice.statement_month = month.statement_month;
DELETE FROM statement_row     USING month WHERE statement_row.statement_month = month.statement_month;
DELETE FROM job_result        USING month WHERE job_result.statement_month = month.statement_month;
DELETE FROM family_fit        USING month WHERE family_fit.statement_month = month.statement_month;
DELETE FROM family_interruption USING month WHERE family_interruption.statement_month = month.statement_month;
DELETE FROM family_curve      USING month WHERE family_curve.statement_month = month.statement_month;
DELETE FROM family_rate       USING month WHERE family_rate.statement_month = month.statement_month;
DELETE FROM statement_note    USING month WHERE statement_note.statement_month = month.statement_month;
DELETE FROM adjustment        USING month WHERE adjustment.statement_month = month.statement_month;
DELETE FROM adjustment_proof  USING month WHERE adjustment_proof.statement_month = month.statement_month;
DELETE FROM statement_price   USING month WHERE statement_price.statement_month = month.statement_month;
DELETE FROM statement_idle    USING month WHERE statement_idle.statement_month = month.statement_month;
DELETE FROM statement_projection USING month WHERE statement_projection.statement_month = month.statement_month;
DELETE FROM statement_forecast USING month WHERE statement_forecast.statement_month = month.statement_month;
DELETE FROM planned_training_cost USING month WHERE planned_training_cost.statement_month = month.statement_month;
DELETE FROM job_energy        USING month WHERE job_energy.statement_month = month.statement_month;
DELETE FROM idle_energy       USING month WHERE idle_energy.statement_month = month.statement_month;
DELETE FROM serving_cost      USING month WHERE serving_cost.statement_month = month.statement_month;
DELETE FROM serving_size      USING month WHERE serving_size.statement_month = month.statement_month;
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
