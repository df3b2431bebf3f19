-- A statement is kept as charges instead of parts of lines: what one payer bears of an invoice is one row, however many
-- lines it is of.

-- Who pays. Σ charges of an invoice = Σ its lines, in billed and in effective cost, digit for digit. No key is unique in
-- a month: readers sum.
CREATE TABLE charge (
    statement_month date NOT NULL,
    invoice_key     bigint NOT NULL,
    charge_part     text NOT NULL CHECK (charge_part IN ('hardware', 'fees', 'credits', 'charge_adjustments', 'other')),
    closed_month    date,              -- the closed month that the charge period begins in; null: none
    rule            smallint NOT NULL, -- 1 to 5: design's rules; 0: by its charge category (prepaid purchase, tax)
    target          text NOT NULL CHECK (target IN ('job', 'pool', 'cost centre', 'prepaid', 'tax', 'unallocated')),
    attempt_id      bigint,            -- of a job; of what is refunded to a pool, the attempt that the system broke
    pool            text,
    cost_centre     text,
    reason          text,              -- of what is unallocated; of what is refunded: 'refunded: ' and the state
    resource_key    bigint NOT NULL,   -- the node of what is idle or awaits job records, by the least key of its id; else 0
    is_of_another_statement boolean NOT NULL, -- a correction of hours of the node that this statement does not have
    line_count      bigint NOT NULL,   -- parts of lines
    billed_cost     numeric NOT NULL,
    effective_cost  numeric NOT NULL,
    charged_cost    numeric NOT NULL,  -- effective cost of lines that cost more than 0
    committed_cost  numeric NOT NULL,  -- of it, of lines that a commitment or a reservation priced
    spot_cost       numeric NOT NULL,  -- effective cost of lines at a dynamic price
    priced_seconds  numeric NOT NULL   -- node-seconds that it pays for (share-weighted), each second of a node once
);
CREATE INDEX charge_month ON charge (statement_month);

-- What was bought: the same parts of lines, added up by class of line. An attempt is known by cost centre, family and
-- outcome alone, so there are few rows however many attempts there are.
CREATE TABLE class_charge (
    statement_month date NOT NULL,
    invoice_key     bigint NOT NULL,
    charge_part     text NOT NULL,
    closed_month    date,
    charge_kind_key bigint NOT NULL,   -- 0: of a quarantined row
    commitment_key  bigint NOT NULL,   -- 0: none
    provider_name   text,
    service_name    text,
    service_category text,
    sku_id          text,
    is_long         boolean NOT NULL,  -- charge period of more than 7 days
    target          text NOT NULL,     -- as in charge
    pool            text,
    cost_centre     text,              -- of a job: its own; null: it has none
    family          text,              -- of a job
    outcome         text,              -- of a job
    reason          text,              -- of what is unallocated
    line_count      bigint NOT NULL,   -- parts of lines
    unlisted_count  bigint NOT NULL,   -- of them, of lines without a list cost
    billed_cost     numeric NOT NULL,
    effective_cost  numeric NOT NULL,
    list_cost       numeric NOT NULL,  -- where a line has none, its contracted, else its effective cost (0 of an unused commitment)
    contracted_cost numeric NOT NULL
);
CREATE INDEX class_charge_month ON class_charge (statement_month);

-- What was published stays readable: closed months are not published again. Lines are found by where they stand,
-- which needs no table of several servers to be joined with another.
CREATE TEMP TABLE published_part ON COMMIT DROP AS SELECT * FROM line_part;
CREATE TEMP TABLE published_line ON COMMIT DROP AS
SELECT load_id, file_id, first_line + line_in_chunk AS line_number, row_in_record, account_key, charge_kind_key, sku_key, commitment_key,
       charge_period_end - charge_period_start > interval '7 days' AS is_long
FROM load_chunk
JOIN billing_line USING (chunk_id, billing_period)
WHERE load_id IN (SELECT load_id FROM published_part);

INSERT INTO charge
SELECT statement_month, invoice_key, charge_part, closed_month, rule, target, attempt_id, pool, cost_centre, reason, 0, false,
       count(*), sum(billed_cost), sum(effective_cost), sum(greatest(effective_cost, 0)),
       coalesce(sum(greatest(effective_cost, 0)) FILTER (WHERE pricing_category = 'Committed' OR commitment_discount_id IS NOT NULL
                                                               OR capacity_reservation_id IS NOT NULL), 0),
       coalesce(sum(effective_cost) FILTER (WHERE pricing_category = 'Dynamic'), 0),
       coalesce(sum(held_seconds), 0)
FROM published_part
LEFT JOIN published_line USING (load_id, file_id, line_number, row_in_record)
LEFT JOIN charge_kind USING (charge_kind_key)
LEFT JOIN commitment USING (commitment_key)
GROUP BY statement_month, invoice_key, charge_part, closed_month, rule, target, attempt_id, pool, cost_centre, reason;

INSERT INTO class_charge
SELECT statement_month, invoice_key, charge_part, closed_month, coalesce(charge_kind_key, 0), coalesce(commitment_key, 0), provider_name,
       service_name, service_category, sku_id, coalesce(is_long, false), target, pool,
       coalesce(published_part.cost_centre, job_result.cost_centre), family, outcome, CASE target WHEN 'unallocated' THEN reason END,
       count(*), 0, sum(billed_cost), sum(effective_cost), sum(effective_cost), sum(effective_cost)
FROM published_part
LEFT JOIN published_line USING (load_id, file_id, line_number, row_in_record)
LEFT JOIN account USING (account_key)
LEFT JOIN sku USING (sku_key)
LEFT JOIN (SELECT statement_month, attempt_id, 'job' AS target, cost_centre, family, outcome FROM job_result) AS job_result
          USING (statement_month, attempt_id, target)
GROUP BY 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17;

DELETE FROM distributed_table WHERE table_name = 'line_part';
DROP TABLE line_part;

-- An exact split (design 3.5): `amount` by `weights`, none below 0, in their order. Each part is cut to the amount's
-- scale + 6 digits; what that leaves over goes in units of the last digit to the largest remainders, ties by order.
-- The sign is put back last, so that a credit is split like a charge. Identity: Σ parts = amount, digit for digit. No
-- quotient is ever rounded: amount · 10^digits is an integer, div() cuts exactly, and remainders are compared as
-- integers. ('1e-n')::numeric is exact where power() and division keep 16 digits only.
CREATE FUNCTION split_parts(amount numeric, weights numeric[]) RETURNS numeric[]
LANGUAGE sql IMMUTABLE
BEGIN ATOMIC
    SELECT array_agg(sign(amount) * (units + (turn <= left_over)::integer) * ('1e-' || scale(amount) + 6)::numeric ORDER BY part)
    FROM (SELECT part, units, whole - sum(units) OVER () AS left_over, row_number() OVER (ORDER BY remainder DESC, part) AS turn
          FROM (SELECT part, whole, div(whole * weight, total) AS units, mod(whole * weight, total) AS remainder
                FROM (SELECT part, weight, sum(weight) OVER () AS total, abs(amount) * ('1e' || scale(amount) + 6)::numeric AS whole
                      FROM unnest(weights) WITH ORDINALITY AS weighed (weight, part)) AS scaled) AS cut) AS ranked;
END;
