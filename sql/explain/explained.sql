-- What charges are made of, a row for each part (docs/explain.md). The same rows are archived when
-- a month is closed.
CREATE TEMP TABLE explained (
    kind                 text NOT NULL,  -- 'line', 'shared' (of a pool or tax), 'internal'
    source               text,
    invoice_issuer       text,
    invoice_id           text,
    billing_currency     text,
    file                 text,
    line                 bigint,
    line_in_record       integer,        -- one record of some formats makes several lines: from 0
    charge_start         timestamptz,
    charge_end           timestamptz,
    resource_id          text,
    service_name         text,
    sku_id               text,
    charge_category      text,
    charge_part          text,
    -- The divided whole: the line, the pool's cost of the invoice, or the transfer.
    whole_billed_cost    numeric,
    whole_effective_cost numeric,
    whole_list_cost      numeric,       -- of a line, as the next column
    whole_contracted_cost numeric,
    rule                 smallint,
    rule_declared        text,
    target               text NOT NULL,
    cluster              text,
    job_id               text,
    attempt_id           bigint,
    cost_centre          text,           -- who pays; for a job, the job's cost centre
    centre_declared      text,
    pool                 text,
    reason               text,
    held_from            timestamptz,
    held_to              timestamptz,
    -- the part has weight ÷ weights of the whole; null: all of it
    weight               numeric,
    weights              numeric,
    seconds              numeric,
    is_priced            boolean,
    billed_cost          numeric NOT NULL,
    effective_cost       numeric NOT NULL,
    list_cost            numeric,
    contracted_cost      numeric,
    exchange_rate        numeric NOT NULL,
    -- in statement currency: effective cost × exchange rate; of the balance sheet, billed cost
    amount               numeric NOT NULL
);

-- Whether a part was asked for: by job, cost centre or pool. By invoice or line all parts of lines
-- pass here, and asked.sql compares the invoice or the place. Otherwise all parts pass: at a close
-- nothing is asked for, and all are archived.
CREATE OR REPLACE FUNCTION pg_temp.is_asked(kind text, target text, attempt_id bigint, charge_part text, cost_centre text, pool text) RETURNS boolean
LANGUAGE sql STABLE
RETURN CASE current_setting('kstar.explain_by', true)
           -- Credits and adjustments on a job's resources are its cost centre's.
           WHEN 'job' THEN target = 'job' AND attempt_id = ANY (current_setting('kstar.explain_attempts')::bigint[])
                           AND charge_part IS DISTINCT FROM 'credits' AND charge_part IS DISTINCT FROM 'charge_adjustments'
           WHEN 'cost centre' THEN cost_centre = current_setting('kstar.explain_name')
           WHEN 'pool' THEN kind <> 'internal' AND (pool = current_setting('kstar.explain_name')
                                                        OR target = 'tax' AND current_setting('kstar.explain_name') = 'tax')
           WHEN 'invoice' THEN kind = 'line'
           WHEN 'line' THEN kind = 'line'
           ELSE true
       END;
