-- The leaves of the statement, exact (docs/allocation.md, Components of an attempt). attempt_efficiency is the model's: E(K) per attempt
-- as a decimal of 12 places.

-- Cost of a closed month is decomposed with the E that the attempt has in its statement. An attempt that was over before
-- this month shows that E as its own.
CREATE TEMP TABLE closed_efficiency ON COMMIT DROP AS
SELECT job_result.statement_month AS closed_month, attempt_id, efficiency, efficiency_from, attempt.end_time <= month_start AS is_over
FROM kstar.job_result
JOIN closed_month USING (statement_month)
JOIN attempt USING (attempt_id)
CROSS JOIN month
WHERE job_result.statement_month < month.statement_month
  AND attempt_id IN (SELECT attempt_id FROM charge JOIN month USING (statement_month) WHERE target = 'job');

WITH latest AS (
    SELECT DISTINCT ON (attempt_id) *
    FROM closed_efficiency WHERE is_over
    ORDER BY attempt_id, closed_month DESC
), unmeasured AS (
    DELETE FROM attempt_efficiency WHERE attempt_id IN (SELECT attempt_id FROM latest WHERE efficiency IS NULL)
)
INSERT INTO attempt_efficiency (attempt_id, efficiency, efficiency_from)
SELECT attempt_id, efficiency, efficiency_from
FROM latest
WHERE efficiency IS NOT NULL
ON CONFLICT (attempt_id) DO UPDATE SET efficiency = EXCLUDED.efficiency, efficiency_from = EXCLUDED.efficiency_from;

-- What each attempt's hardware and fees are in one invoice, before they are named by outcome. Sorted, as in 12_charges.sql.
SET LOCAL enable_hashagg = off;
CREATE TEMP TABLE attempt_cost ON COMMIT DROP AS
SELECT invoice_key, attempt_id, closed_month, charge_part,
       sum(billed_cost) AS billed_cost, sum(effective_cost) AS effective_cost
FROM charge JOIN month USING (statement_month)
WHERE target = 'job' AND charge_part IN ('hardware', 'fees')
GROUP BY attempt_id, invoice_key, closed_month, charge_part
UNION ALL
SELECT invoice_key, attempt_id, NULL, 'fixed_overhead', sum(billed_cost), sum(effective_cost)
FROM shared_part JOIN month USING (statement_month)
WHERE target = 'job'
GROUP BY attempt_id, invoice_key;

CREATE TEMP TABLE leaf (
    block          text NOT NULL,
    line_type      text NOT NULL,
    invoice_key    bigint,
    cost_centre    text,
    component      text,
    row_key        text,             -- what it is about, where that is no attempt
    attempt_id     bigint,
    pool           text,
    reason         text,
    gl_account     text,
    billed_cost    numeric NOT NULL,
    effective_cost numeric NOT NULL,
    amount         numeric NOT NULL, -- in the row's own currency: what the row shows
    -- Where its cents are fixed (19_rows.sql): by parent, which is the invoice or the transfer off the bill, by line type, cost centre, component
    -- and reason. What is unallocated has one cell per reason, whatever its component; a carrier's credit and each row of the bridge have their own.
    cell           text NOT NULL GENERATED ALWAYS AS (
        CASE block WHEN 'invoice' THEN invoice_key::text ELSE component || ': ' || pool END || chr(31) || line_type || chr(31) ||
        CASE WHEN line_type = 'unallocated' THEN coalesce(reason, '')
             WHEN line_type <> 'charge'     THEN row_key || chr(31) || coalesce(reason, '')
             WHEN block = 'invoice' OR attempt_id IS NOT NULL THEN coalesce(cost_centre, '') || chr(31) || component || chr(31) || coalesce(reason, '')
             ELSE '' END) STORED
) ON COMMIT DROP;

-- Attempts. Useful compute is E · hardware; coordination waste is the subtraction, so that the two are the hardware.
INSERT INTO leaf (block, line_type, invoice_key, cost_centre, component, attempt_id, reason, billed_cost, effective_cost, amount)
WITH named AS (
    SELECT attempt_cost.*, cost_centre, of_cost.efficiency,
           CASE
               WHEN charge_part = 'fixed_overhead' THEN 'fixed_overhead'
               WHEN outcome = 'failed'             THEN 'failed_runs'
               WHEN outcome = 'cancelled'          THEN 'cancelled'
               WHEN charge_part = 'fees'           THEN 'cloud_fees'
               WHEN of_cost.efficiency IS NULL     THEN 'unmeasured_hardware'
               ELSE 'measured'
           END AS component
    FROM attempt_cost
    JOIN attempt USING (attempt_id)
    LEFT JOIN attempt_cost_centre USING (attempt_id)
    LEFT JOIN attempt_efficiency USING (attempt_id)
    LEFT JOIN closed_efficiency USING (attempt_id, closed_month)
    CROSS JOIN LATERAL (SELECT CASE WHEN closed_efficiency.attempt_id IS NULL THEN attempt_efficiency.efficiency
                                    ELSE closed_efficiency.efficiency END) AS of_cost (efficiency)
), columns AS (
    SELECT invoice_key, attempt_id, cost_centre, component, billed_cost, effective_cost
    FROM named WHERE component <> 'measured'
    UNION ALL
    SELECT invoice_key, attempt_id, cost_centre, 'useful_compute', efficiency * billed_cost, efficiency * effective_cost
    FROM named WHERE component = 'measured'
    UNION ALL
    SELECT invoice_key, attempt_id, cost_centre, 'coordination_waste',
           billed_cost - efficiency * billed_cost, effective_cost - efficiency * effective_cost
    FROM named WHERE component = 'measured'
)
SELECT 'invoice', CASE WHEN cost_centre IS NULL THEN 'unallocated' ELSE 'charge' END, invoice_key, cost_centre, component, attempt_id,
       CASE WHEN cost_centre IS NULL THEN 'job without cost centre' END,
       sum(billed_cost), sum(effective_cost), sum(effective_cost)
FROM columns
GROUP BY attempt_id, invoice_key, component, cost_centre;
SET LOCAL enable_hashagg TO DEFAULT;

-- Credits and adjustments on a job's resources stand on its cost centre; lines that name a cost centre stand there.
INSERT INTO leaf (block, line_type, invoice_key, cost_centre, component, row_key, reason, billed_cost, effective_cost, amount)
SELECT 'invoice', CASE WHEN cost_centre IS NULL THEN 'unallocated' ELSE 'charge' END, invoice_key, cost_centre,
       CASE WHEN charge_part IN ('credits', 'charge_adjustments') THEN charge_part ELSE 'direct_cost' END,
       coalesce(service_name, '(none)'),
       CASE WHEN cost_centre IS NULL THEN 'job without cost centre' END,
       sum(billed_cost), sum(effective_cost), sum(effective_cost)
FROM class_charge
JOIN month USING (statement_month)
WHERE target = 'cost centre' OR (target = 'job' AND charge_part IN ('credits', 'charge_adjustments'))
GROUP BY invoice_key, cost_centre, 5, 6;

-- Pools and tax that stop at a cost centre, on the balance sheet or with nobody.
INSERT INTO leaf (block, line_type, invoice_key, cost_centre, component, row_key, pool, reason, gl_account,
                  billed_cost, effective_cost, amount)
SELECT 'invoice',
       CASE target WHEN 'cost centre' THEN 'charge' ELSE target END,
       invoice_key, cost_centre,
       CASE WHEN target = 'balance sheet' THEN NULL WHEN shared_kind = 'tax' THEN 'tax'
            ELSE coalesce(component, 'shared_services') END,
       coalesce(gl_account, shared_part.pool), shared_part.pool, reason, gl_account,
       sum(billed_cost), sum(effective_cost), sum(CASE target WHEN 'balance sheet' THEN billed_cost ELSE effective_cost END)
FROM shared_part
JOIN month USING (statement_month)
WHERE target <> 'job'
GROUP BY target, invoice_key, cost_centre, shared_kind, component, shared_part.pool, reason, gl_account;

-- Unallocated lines, by reason and service.
INSERT INTO leaf (block, line_type, invoice_key, row_key, reason, billed_cost, effective_cost, amount)
SELECT 'invoice', 'unallocated', invoice_key, coalesce(service_name, '(none)'), reason,
       sum(billed_cost), sum(effective_cost), sum(effective_cost)
FROM class_charge
JOIN month USING (statement_month)
WHERE target = 'unallocated'
GROUP BY invoice_key, reason, service_name;

-- The bridge from charged to invoiced (docs/amounts.md, Cents): billed − effective, per commitment, and what no commitment explains.
INSERT INTO leaf (block, line_type, invoice_key, row_key, reason, billed_cost, effective_cost, amount)
SELECT 'invoice', CASE WHEN (commitment_discount_id IS NULL) THEN 'unexplained' ELSE 'prepaid' END,
       invoice_key,
       coalesce(commitment_discount_id, service_name, '(none)') AS row_key,
       CASE WHEN commitment_discount_id IS NULL THEN 'billed and effective cost differ without a commitment' END,
       0, 0, sum(billed_cost - effective_cost)
FROM (SELECT invoice_key, commitment_discount_id, service_name, billed_cost, effective_cost
      FROM class_charge
      JOIN month USING (statement_month)
      LEFT JOIN commitment USING (commitment_key)
      WHERE target <> 'tax' AND reason IS DISTINCT FROM 'quarantined'
      UNION ALL
      SELECT invoice_key, commitment_discount_id, NULL, billed_cost, effective_cost
      FROM quarantined_row) AS part
GROUP BY invoice_key, commitment_discount_id IS NULL, coalesce(commitment_discount_id, service_name, '(none)')
HAVING sum(billed_cost - effective_cost) <> 0;

INSERT INTO leaf (block, line_type, invoice_key, row_key, reason, billed_cost, effective_cost, amount)
SELECT 'invoice', 'unexplained', invoice_key, 'ChargeCategory Tax', 'billed and effective tax differ',
       0, 0, sum(billed_cost - effective_cost)
FROM shared_part JOIN month USING (statement_month)
WHERE shared_kind = 'tax' AND target <> 'balance sheet'
GROUP BY invoice_key
HAVING sum(billed_cost - effective_cost) <> 0;

-- Off the bill: + on the attempts' cost centres, the same − on the carrier's.
INSERT INTO leaf (block, line_type, cost_centre, component, attempt_id, pool, reason, billed_cost, effective_cost, amount)
SELECT 'off the bill', CASE WHEN cost_centre IS NULL THEN 'unallocated' ELSE 'charge' END, transfer_weight.cost_centre,
       component, attempt_id, name,
       CASE WHEN transfer_weight.cost_centre IS NULL THEN 'job without cost centre' END,
       0, transfer_part.amount, transfer_part.amount
FROM transfer_part
JOIN (SELECT request_id, component, name FROM transfer) AS transfer USING (request_id)
JOIN transfer_weight USING (request_id, part);

INSERT INTO leaf (block, line_type, cost_centre, component, row_key, pool, billed_cost, effective_cost, amount)
SELECT 'off the bill', 'charge', carrier, component, name || ': carrier', name, 0, -amount, -amount
FROM transfer
WHERE request_id IN (SELECT request_id FROM transfer_weight);

ANALYZE leaf;
