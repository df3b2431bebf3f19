-- The leaves of the statement, exact (docs/allocation.md, Components of an attempt).
-- attempt_efficiency is the model's: E(K) per attempt as a decimal of 12 places.

-- Cost of a closed month is decomposed with the E that the attempt has in its statement. An attempt
-- that was over before this month shows the latest such E as its own.
CREATE TEMP TABLE closed_efficiency ON COMMIT DROP AS
SELECT job_result.statement_month AS closed_month, attempt_id, efficiency, efficiency_from, attempt.end_time <= month_start AS is_over
FROM kstar.job_result
JOIN closed_month USING (statement_month)
JOIN attempt USING (attempt_id)
CROSS JOIN month
WHERE job_result.statement_month < month.statement_month
  AND attempt_id IN (SELECT attempt_id FROM charge JOIN month USING (statement_month) WHERE target = 'job');

ANALYZE closed_efficiency;

MERGE INTO attempt_efficiency AS own
USING (SELECT DISTINCT ON (attempt_id) * FROM closed_efficiency WHERE is_over ORDER BY attempt_id, closed_month DESC) AS latest
      ON own.attempt_id = latest.attempt_id
WHEN MATCHED AND latest.efficiency IS NULL THEN DELETE
WHEN MATCHED THEN UPDATE SET efficiency = latest.efficiency, efficiency_from = latest.efficiency_from
WHEN NOT MATCHED AND latest.efficiency IS NOT NULL THEN
    INSERT (attempt_id, efficiency, efficiency_from) VALUES (latest.attempt_id, latest.efficiency, latest.efficiency_from);

CREATE TEMP TABLE leaf (
    line_type      text NOT NULL,
    invoice_key    bigint,           -- null off the bill:
    request_id     bigint,           -- the transfer
    cost_centre    text,
    component      text,
    row_key        text,             -- what it is about, where that is no attempt
    attempt_id     bigint,
    pool           text,             -- or the transfer's name
    reason         text,
    gl_account     text,
    billed_cost    numeric NOT NULL,
    effective_cost numeric NOT NULL,
    amount         numeric NOT NULL -- in the row's own currency: what the row shows
) ON COMMIT DROP;

-- Attempts. Hardware is divided whoever names its price, a bill or an internal rate. Useful compute
-- is E · hardware; coordination waste is the subtraction, so that the two are the hardware. Sorted,
-- as in 12_charges.sql.
SET LOCAL enable_hashagg = off;
INSERT INTO leaf (line_type, invoice_key, request_id, cost_centre, component, attempt_id, pool, reason, billed_cost, effective_cost, amount)
SELECT CASE WHEN cost_centre IS NULL THEN 'unallocated' ELSE 'charge' END, invoice_key, request_id, cost_centre, part.component, attempt_id, name,
       CASE WHEN cost_centre IS NULL THEN 'job without cost centre' END,
       sum(share * billed_cost), sum(share * effective_cost), sum(share * effective_cost)
FROM (SELECT attempt_id, invoice_key, NULL::bigint AS request_id, NULL AS name, closed_month, charge_part, billed_cost, effective_cost
      FROM charge JOIN month USING (statement_month)
      WHERE target = 'job' AND charge_part IN ('hardware', 'fees')
      UNION ALL
      SELECT split.attempt_id, NULL, request_id, name, NULL, CASE component WHEN 'hardware_off_bill' THEN 'hardware' ELSE component END, 0, split.amount
      FROM transfer
      JOIN (SELECT request_id, array_agg(attempt_id ORDER BY attempt_id) AS attempts, array_agg(weight ORDER BY attempt_id) AS weights
            FROM transfer_weight
            GROUP BY request_id) AS weighed USING (request_id)
      CROSS JOIN LATERAL unnest(attempts, split_parts(amount, weights)) AS split (attempt_id, amount)) AS cost
JOIN attempt USING (attempt_id)
LEFT JOIN attempt_efficiency AS own USING (attempt_id)
LEFT JOIN closed_efficiency AS closed USING (attempt_id, closed_month)
CROSS JOIN LATERAL (SELECT CASE WHEN closed.attempt_id IS NULL THEN own.efficiency ELSE closed.efficiency END) AS of_cost (efficiency)
CROSS JOIN LATERAL (SELECT CASE WHEN charge_part NOT IN ('hardware', 'fees') THEN charge_part -- of a transfer
                                WHEN outcome = 'failed'         THEN 'failed_runs'
                                WHEN outcome = 'cancelled'      THEN 'cancelled'
                                WHEN charge_part = 'fees'       THEN 'cloud_fees'
                                WHEN of_cost.efficiency IS NULL THEN 'unmeasured_hardware' END) AS whole (component)
JOIN (VALUES ('useful_compute'), ('coordination_waste'), (NULL)) AS divided (component) ON (divided.component IS NULL) = (whole.component IS NOT NULL)
CROSS JOIN LATERAL (SELECT coalesce(whole.component, divided.component),
                           CASE divided.component WHEN 'useful_compute' THEN of_cost.efficiency WHEN 'coordination_waste' THEN 1 - of_cost.efficiency
                                                  ELSE 1 END) AS part (component, share)
GROUP BY attempt_id, invoice_key, request_id, part.component, cost_centre, name;

-- What pools hand to attempts.
INSERT INTO leaf (line_type, invoice_key, cost_centre, component, attempt_id, reason, billed_cost, effective_cost, amount)
SELECT CASE WHEN cost_centre IS NULL THEN 'unallocated' ELSE 'charge' END, invoice_key, attempt.cost_centre, 'fixed_overhead', attempt_id,
       CASE WHEN cost_centre IS NULL THEN 'job without cost centre' END, billed_cost, effective_cost, effective_cost
FROM (SELECT attempt_id, invoice_key, sum(billed_cost) AS billed_cost, sum(effective_cost) AS effective_cost
      FROM shared_part JOIN month USING (statement_month)
      WHERE target = 'job'
      GROUP BY attempt_id, invoice_key) AS part
JOIN attempt USING (attempt_id);
SET LOCAL enable_hashagg TO DEFAULT;

-- What attempts have of a transfer its carrier is credited.
INSERT INTO leaf (line_type, request_id, cost_centre, component, row_key, pool, billed_cost, effective_cost, amount)
SELECT 'charge', request_id, carrier, component, name || ': carrier', name, 0, -amount, -amount
FROM transfer
WHERE request_id IN (SELECT request_id FROM transfer_weight);

-- Lines that name a cost centre or nobody, and credits and adjustments on a job's resources, which
-- stand on its cost centre.
INSERT INTO leaf (line_type, invoice_key, cost_centre, component, row_key, reason, billed_cost, effective_cost, amount)
SELECT CASE WHEN cost_centre IS NULL THEN 'unallocated' ELSE 'charge' END, invoice_key, cost_centre,
       CASE WHEN target = 'unallocated' THEN NULL WHEN charge_part IN ('credits', 'charge_adjustments') THEN charge_part ELSE 'direct_cost' END,
       coalesce(service_name, '(none)'), CASE WHEN target = 'job' AND cost_centre IS NULL THEN 'job without cost centre' ELSE reason END,
       sum(billed_cost), sum(effective_cost), sum(effective_cost)
FROM class_charge
JOIN month USING (statement_month)
WHERE target IN ('cost centre', 'unallocated') OR (target = 'job' AND charge_part IN ('credits', 'charge_adjustments'))
GROUP BY 2, 3, 4, 5, 6;

-- Pools and tax that stop at a cost centre, on the balance sheet or with nobody.
INSERT INTO leaf (line_type, invoice_key, cost_centre, component, row_key, pool, reason, gl_account, billed_cost, effective_cost, amount)
SELECT CASE target WHEN 'cost centre' THEN 'charge' ELSE target END, invoice_key, cost_centre,
       CASE WHEN target = 'balance sheet' THEN NULL WHEN shared_kind = 'tax' THEN 'tax'
            ELSE coalesce(component, 'shared_services') END,
       coalesce(gl_account, shared_part.pool), shared_part.pool, reason, gl_account,
       sum(billed_cost), sum(effective_cost), sum(CASE target WHEN 'balance sheet' THEN billed_cost ELSE effective_cost END)
FROM shared_part
JOIN month USING (statement_month)
WHERE target <> 'job'
GROUP BY target, invoice_key, cost_centre, shared_kind, component, shared_part.pool, reason, gl_account;

-- The bridge from charged to invoiced (docs/amounts.md, Cents): billed − effective, per commitment,
-- and what no commitment explains.
INSERT INTO leaf (line_type, invoice_key, row_key, reason, billed_cost, effective_cost, amount)
SELECT CASE WHEN commitment_discount_id IS NULL THEN 'unexplained' ELSE 'prepaid' END, invoice_key,
       coalesce(commitment_discount_id, subject, '(none)'), CASE WHEN commitment_discount_id IS NULL THEN difference END,
       0, 0, sum(billed_cost - effective_cost)
FROM (SELECT invoice_key, commitment_discount_id, service_name AS subject, 'billed and effective cost differ without a commitment' AS difference,
             billed_cost, effective_cost
      FROM class_charge
      JOIN month USING (statement_month)
      LEFT JOIN commitment USING (commitment_key)
      WHERE target <> 'tax' AND reason IS DISTINCT FROM 'quarantined'
      UNION ALL
      SELECT invoice_key, commitment_discount_id, NULL, 'billed and effective cost differ without a commitment', billed_cost, effective_cost
      FROM quarantined_row
      UNION ALL
      SELECT invoice_key, NULL, 'ChargeCategory Tax', 'billed and effective tax differ', billed_cost, effective_cost
      FROM shared_part JOIN month USING (statement_month)
      WHERE shared_kind = 'tax' AND target <> 'balance sheet') AS part
GROUP BY 1, 2, 3, 4
HAVING sum(billed_cost - effective_cost) <> 0;

ANALYZE leaf;
