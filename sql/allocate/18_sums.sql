-- What the statement adds up, exact: details of attempts (docs/allocation.md, Components of an
-- attempt), and sums.
-- attempt_efficiency is the model's: E(K) per attempt as a decimal of 12 places.

-- The attempts that an earlier statement may have an E of: those with cost of a closed month, and
-- those that were over before this month. They are few. They are counted first, so that PostgreSQL
-- looks each up and does not read the results of all years.
CREATE TEMP TABLE charged_before ON COMMIT DROP AS
SELECT attempt_id, bool_or(end_time <= month_start) AS is_over
FROM charge JOIN month USING (statement_month)
JOIN attempt USING (attempt_id)
WHERE target = 'job' AND (closed_month IS NOT NULL OR end_time <= month_start)
GROUP BY attempt_id;

ANALYZE charged_before;

-- Cost of a closed month is decomposed with the E that the attempt has in its statement. An attempt
-- that was over before this month shows the latest such E as its own.
CREATE TEMP TABLE closed_efficiency ON COMMIT DROP AS
SELECT job_result.statement_month AS closed_month, attempt_id, efficiency, efficiency_from, is_over
FROM charged_before
JOIN kstar.job_result USING (attempt_id)
JOIN closed_month USING (statement_month)
JOIN month ON job_result.statement_month < month.statement_month;

ANALYZE closed_efficiency;

MERGE INTO attempt_efficiency AS own
USING (SELECT DISTINCT ON (attempt_id) * FROM closed_efficiency WHERE is_over ORDER BY attempt_id, closed_month DESC) AS latest
      ON own.attempt_id = latest.attempt_id
WHEN MATCHED AND latest.efficiency IS NULL THEN DELETE
WHEN MATCHED THEN UPDATE SET efficiency = latest.efficiency, efficiency_from = latest.efficiency_from
WHEN NOT MATCHED AND latest.efficiency IS NOT NULL THEN
    INSERT (attempt_id, efficiency, efficiency_from) VALUES (latest.attempt_id, latest.efficiency, latest.efficiency_from);

-- What an attempt's cost is called, and for how much of it: hardware is divided whoever names its
-- price, a bill or an internal rate. Useful compute is E · hardware; coordination waste is the
-- subtraction, so that the two are the hardware.
CREATE OR REPLACE FUNCTION pg_temp.components_of(charge_part text, outcome text, efficiency numeric)
RETURNS TABLE (component text, share numeric)
LANGUAGE sql IMMUTABLE
BEGIN ATOMIC
    SELECT coalesce(whole, divided), CASE divided WHEN 'useful_compute' THEN efficiency WHEN 'coordination_waste' THEN 1 - efficiency ELSE 1 END
    FROM (SELECT CASE WHEN charge_part NOT IN ('hardware', 'fees') THEN charge_part -- of a transfer
                      WHEN outcome = 'failed'    THEN 'failed_runs'
                      WHEN outcome = 'cancelled' THEN 'cancelled'
                      WHEN charge_part = 'fees'  THEN 'cloud_fees'
                      WHEN efficiency IS NULL    THEN 'unmeasured_hardware' END) AS undivided (whole)
    JOIN (VALUES ('useful_compute'), ('coordination_waste'), (NULL)) AS part (divided) ON (divided IS NULL) = (whole IS NOT NULL);
END;

-- What attempts have of each invoice and of each transfer; `exact` is the amount in minor units,
-- not yet rounded.
SET LOCAL enable_hashagg = off; -- sorted, as in 12_charges.sql
CREATE TEMP TABLE attempt_detail ON COMMIT DROP AS
WITH of_attempt (invoice_key, request_id, attempt_id, cost_centre, component, billed_cost, effective_cost) AS (
    SELECT invoice_key, NULL::bigint, attempt_id, attempt.cost_centre, component, sum(share * billed_cost), sum(share * effective_cost)
    FROM charge JOIN month USING (statement_month)
    JOIN attempt USING (attempt_id)
    LEFT JOIN attempt_efficiency AS own USING (attempt_id)
    LEFT JOIN closed_efficiency AS closed USING (attempt_id, closed_month)
    CROSS JOIN LATERAL pg_temp.components_of(charge_part, outcome, CASE WHEN closed.attempt_id IS NULL THEN own.efficiency ELSE closed.efficiency END)
    WHERE target = 'job' AND charge_part IN ('hardware', 'fees')
    GROUP BY attempt_id, invoice_key, component, attempt.cost_centre
    UNION ALL
    -- what transfers hand to them
    SELECT NULL, request_id, attempt_id, attempt.cost_centre, part.component, 0, share * transfer_part.amount
    FROM transfer_part
    JOIN transfer USING (request_id)
    JOIN attempt USING (attempt_id)
    LEFT JOIN attempt_efficiency USING (attempt_id)
    CROSS JOIN LATERAL pg_temp.components_of(CASE transfer.component WHEN 'internal_hardware' THEN 'hardware' ELSE transfer.component END,
                                             outcome, efficiency) AS part
    UNION ALL
    -- and pools
    SELECT invoice_key, NULL, attempt_id, attempt.cost_centre, 'fixed_overhead', billed_cost, effective_cost
    FROM (SELECT attempt_id, invoice_key, sum(billed_cost) AS billed_cost, sum(effective_cost) AS effective_cost
          FROM shared_part JOIN month USING (statement_month)
          WHERE target = 'job'
          GROUP BY attempt_id, invoice_key) AS part
    JOIN attempt USING (attempt_id)
)
SELECT invoice_key, request_id, attempt_id, cost_centre, component, billed_cost, effective_cost, amount, amount * unit AS exact
FROM of_attempt
CROSS JOIN (SELECT ('1e' || minor_unit_digits)::numeric AS unit FROM month) AS minor_unit
LEFT JOIN invoice_rate USING (invoice_key)
CROSS JOIN LATERAL (SELECT effective_cost * coalesce(exchange_rate, 1)) AS converted (amount);
SET LOCAL enable_hashagg TO DEFAULT;

ALTER TABLE attempt_detail ALTER component SET NOT NULL; -- no detail is lost below
ANALYZE attempt_detail;

-- The sums of the statement: those details added up, and what stands on no attempt. `floored` is
-- the sum of the details' floors, `size` their sum without signs. Cents are fixed in cells of sums
-- (19_cents.sql). The parent of a cell is the invoice or the transfer. Charges have one cell per
-- cost centre and component; what is unallocated, one per reason; a carrier's credit and each row
-- of the bridge, their own.
CREATE TEMP TABLE exact_sum ON COMMIT DROP AS
WITH difference AS (
    SELECT invoice_key, commitment_discount_id AS commitment, service_name AS subject,
           'billed and effective cost differ without a commitment' AS difference, billed_cost, effective_cost
    FROM class_charge JOIN month USING (statement_month)
    LEFT JOIN commitment USING (commitment_key)
    WHERE target <> 'tax' AND reason IS DISTINCT FROM 'quarantined'
    UNION ALL
    SELECT invoice_key, commitment_discount_id, NULL, 'billed and effective cost differ without a commitment', billed_cost, effective_cost
    FROM quarantined_of_month
    UNION ALL
    SELECT invoice_key, NULL, 'ChargeCategory Tax', 'billed and effective tax differ', billed_cost, effective_cost
    FROM shared_part JOIN month USING (statement_month)
    WHERE shared_kind = 'tax' AND target <> 'balance sheet'
), of_others AS (
    -- The carrier of a transfer is credited what attempts have of it. What is shown is in the
    -- invoice's or the transfer's currency.
    SELECT 'charge' AS line_type, NULL::bigint AS invoice_key, request_id, carrier AS cost_centre, component, name || ': carrier' AS row_key,
           name AS pool, NULL AS reason, NULL AS gl_account, 0 AS billed_cost, -amount AS effective_cost, -amount AS shown
    FROM transfer
    WHERE request_id IN (SELECT request_id FROM transfer_part)
    UNION ALL
    -- lines that name a cost centre or nobody, and credits and adjustments on a job's resources,
    -- which stand on its cost centre
    SELECT CASE WHEN cost_centre IS NULL THEN 'unallocated' ELSE 'charge' END, invoice_key, NULL, cost_centre,
           CASE WHEN target = 'unallocated' THEN NULL WHEN charge_part IN ('credits', 'charge_adjustments') THEN charge_part ELSE 'direct_cost' END,
           coalesce(service_name, '(none)'), NULL, CASE WHEN target = 'job' AND cost_centre IS NULL THEN 'job without cost centre' ELSE reason END, NULL,
           sum(billed_cost), sum(effective_cost), sum(effective_cost)
    FROM class_charge JOIN month USING (statement_month)
    WHERE target IN ('cost centre', 'unallocated') OR (target = 'job' AND charge_part IN ('credits', 'charge_adjustments'))
    GROUP BY 2, 4, 5, 6, 8
    UNION ALL
    -- pools and tax that stop at a cost centre, on the balance sheet or with nobody
    SELECT CASE target WHEN 'cost centre' THEN 'charge' ELSE target END, invoice_key, NULL, cost_centre,
           CASE WHEN target = 'balance sheet' THEN NULL WHEN shared_kind = 'tax' THEN 'tax' ELSE coalesce(component, 'shared_services') END,
           coalesce(gl_account, shared_part.pool), shared_part.pool, reason, gl_account,
           sum(billed_cost), sum(effective_cost), sum(CASE target WHEN 'balance sheet' THEN billed_cost ELSE effective_cost END)
    FROM shared_part JOIN month USING (statement_month)
    WHERE target <> 'job'
    GROUP BY target, invoice_key, cost_centre, shared_kind, component, shared_part.pool, reason, gl_account
    UNION ALL
    -- the bridge from charged to invoiced (docs/amounts.md, Cents): billed − effective, per
    -- commitment, and what no commitment explains
    SELECT CASE WHEN commitment IS NULL THEN 'unexplained' ELSE 'prepaid' END, invoice_key, NULL, NULL, NULL, coalesce(commitment, subject, '(none)'),
           NULL, CASE WHEN commitment IS NULL THEN difference END, NULL, 0, 0, sum(billed_cost - effective_cost)
    FROM difference
    GROUP BY 1, 2, 6, 8
    HAVING sum(billed_cost - effective_cost) <> 0
), cost AS (
    SELECT CASE WHEN detail.cost_centre IS NULL THEN 'unallocated' ELSE 'charge' END AS line_type, detail.*, name AS pool, NULL AS row_key,
           CASE WHEN detail.cost_centre IS NULL THEN 'job without cost centre' END AS reason, NULL AS gl_account, true AS is_of_attempts
    FROM (SELECT invoice_key, request_id, cost_centre, component, count(*) AS row_count, sum(billed_cost) AS billed_cost, sum(effective_cost) AS effective_cost,
                 sum(amount) AS amount, sum(exact) AS exact, sum(floor(exact)) AS floored, sum(abs(exact)) AS size
          FROM attempt_detail
          GROUP BY invoice_key, request_id, cost_centre, component) AS detail
    LEFT JOIN transfer USING (request_id)
    UNION ALL
    SELECT line_type, invoice_key, request_id, cost_centre, component, 1, billed_cost, effective_cost, amount, amount * unit, floor(amount * unit), abs(amount * unit),
           pool, row_key, reason, gl_account, false
    FROM of_others
    CROSS JOIN (SELECT ('1e' || minor_unit_digits)::numeric AS unit FROM month) AS minor_unit
    LEFT JOIN invoice_rate USING (invoice_key)
    CROSS JOIN LATERAL (SELECT shown * coalesce(exchange_rate, 1)) AS converted (amount)
)
-- Cells are numbered by cost centre, sums by cell: the sums of a cost centre are one stretch of
-- numbers (report/tidy_count.sql reads it). Ties between cells go by their numbers, too.
SELECT row_number() OVER (ORDER BY cell_id, component_position, row_key COLLATE "C", pool COLLATE "C", gl_account COLLATE "C") AS sum_id, placed.*
FROM (SELECT dense_rank() OVER (ORDER BY centre COLLATE "C", CASE line_type WHEN 'charge' THEN component.position END, reason COLLATE "C" NULLS FIRST,
                                         line_type, parent, is_carrier, CASE WHEN line_type NOT IN ('charge', 'unallocated') THEN row_key END COLLATE "C")
             AS cell_id, cost.*, parent, centre, is_carrier, component.position AS component_position
      FROM cost
      LEFT JOIN component USING (component)
      CROSS JOIN LATERAL (SELECT coalesce(invoice_key, -request_id), coalesce(cost_centre, ''), invoice_key IS NULL AND NOT is_of_attempts)
                 AS place (parent, centre, is_carrier)) AS placed;

ALTER TABLE exact_sum ALTER parent SET NOT NULL;
