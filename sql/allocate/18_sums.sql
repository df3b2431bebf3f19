-- The exact sums of the statement: for each attempt (docs/allocation.md, Components of an attempt),
-- then for the whole. attempt_efficiency has the model's E(K) of each attempt, a decimal of 12
-- places.

-- Attempts that may have an E(K) in an earlier statement: they have cost of a closed month, or
-- ended before this month. They are few. They stand in a table of their own so that PostgreSQL
-- knows this and looks each up, instead of reading the results of all years.
CREATE TEMP TABLE charged_before ON COMMIT DROP AS
SELECT attempt_id, bool_or(end_time <= month_start) AS is_over
FROM charge JOIN month USING (statement_month)
JOIN attempt USING (attempt_id)
WHERE target = 'job' AND (closed_month IS NOT NULL OR end_time <= month_start)
GROUP BY attempt_id;

ANALYZE charged_before;

-- Cost of a closed month is decomposed with the E(K) that the attempt has in that month's
-- statement. An attempt that ended before this month shows the latest of them.
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

-- The components of an attempt's cost, each with its share. Hardware is decomposed whether a bill
-- prices it or an internal rate. Useful compute is E(K) × hardware. Coordination waste is the rest,
-- so the two always add up to the hardware.
CREATE OR REPLACE FUNCTION pg_temp.components_of(charge_part text, outcome text, efficiency numeric)
RETURNS TABLE (component text, share numeric)
LANGUAGE sql IMMUTABLE
BEGIN ATOMIC
    SELECT coalesce(whole, divided), CASE divided WHEN 'useful_compute' THEN efficiency WHEN 'coordination_waste' THEN 1 - efficiency ELSE 1 END
    FROM (SELECT CASE WHEN charge_part NOT IN ('hardware', 'fees') THEN charge_part -- a transfer's
                      WHEN outcome = 'failed'    THEN 'failed_runs'
                      WHEN outcome = 'cancelled' THEN 'cancelled'
                      WHEN charge_part = 'fees'  THEN 'cloud_fees'
                      WHEN efficiency IS NULL    THEN 'unmeasured_hardware' END) AS undivided (whole)
    JOIN (VALUES ('useful_compute'), ('coordination_waste'), (NULL)) AS part (divided) ON (divided IS NULL) = (whole IS NOT NULL);
END;

-- What each attempt has of each invoice and transfer. `exact` is the amount in cents, not yet
-- rounded.
SET LOCAL enable_hashagg = off; -- by sort, as in 12_charges.sql
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
    -- internal charges
    SELECT NULL, request_id, attempt_id, attempt.cost_centre, part.component, 0, share * transfer_part.amount
    FROM transfer_part
    JOIN transfer USING (request_id)
    JOIN attempt USING (attempt_id)
    LEFT JOIN attempt_efficiency USING (attempt_id)
    CROSS JOIN LATERAL pg_temp.components_of(CASE transfer.component WHEN 'internal_hardware' THEN 'hardware' ELSE transfer.component END,
                                             outcome, efficiency) AS part
    UNION ALL
    -- pools
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

ALTER TABLE attempt_detail ALTER component SET NOT NULL; -- the joins below would lose it
ANALYZE attempt_detail;

-- The sums of the statement: the details above added up, and cost that is on no attempt. `floored`
-- is the sum of the details rounded down, `size` their sum without signs. Cents are handed out in
-- cells of sums (19_cents.sql). The parent of a cell is the invoice or the transfer. Charged cost
-- has a cell for each cost centre and component, unallocated cost one for each reason. A carrier's
-- credit and each row of the bridge to the invoice are cells of their own.
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
    -- A carrier is credited with what attempts pay of its transfer. `shown` is in the currency of
    -- the invoice or the transfer.
    SELECT 'charge' AS line_type, NULL::bigint AS invoice_key, request_id, carrier AS cost_centre, component, name || ': carrier' AS row_key,
           name AS pool, NULL AS reason, NULL AS gl_account, 0 AS billed_cost, -amount AS effective_cost, -amount AS shown
    FROM transfer
    WHERE request_id IN (SELECT request_id FROM transfer_part)
    UNION ALL
    -- lines charged to a cost centre or to nobody, and credits and adjustments on a job's
    -- resources, which its cost centre gets
    SELECT CASE WHEN cost_centre IS NULL THEN 'unallocated' ELSE 'charge' END, invoice_key, NULL, cost_centre,
           CASE WHEN target = 'unallocated' THEN NULL WHEN charge_part IN ('credits', 'charge_adjustments') THEN charge_part ELSE 'direct_cost' END,
           coalesce(service_name, '(none)'), NULL, CASE WHEN target = 'job' AND cost_centre IS NULL THEN 'job without cost centre' ELSE reason END, NULL,
           sum(billed_cost), sum(effective_cost), sum(effective_cost)
    FROM class_charge JOIN month USING (statement_month)
    WHERE target IN ('cost centre', 'unallocated') OR (target = 'job' AND charge_part IN ('credits', 'charge_adjustments'))
    GROUP BY 2, 4, 5, 6, 8
    UNION ALL
    -- parts of pools and tax for a cost centre, for the balance sheet, or unallocated
    SELECT CASE target WHEN 'cost centre' THEN 'charge' ELSE target END, invoice_key, NULL, cost_centre,
           CASE WHEN target = 'balance sheet' THEN NULL WHEN shared_kind = 'tax' THEN 'tax' ELSE coalesce(component, 'shared_services') END,
           coalesce(gl_account, shared_part.pool), shared_part.pool, reason, gl_account,
           sum(billed_cost), sum(effective_cost), sum(CASE target WHEN 'balance sheet' THEN billed_cost ELSE effective_cost END)
    FROM shared_part JOIN month USING (statement_month)
    WHERE target <> 'job'
    GROUP BY target, invoice_key, cost_centre, shared_kind, component, shared_part.pool, reason, gl_account
    UNION ALL
    -- the bridge from charged to invoiced (docs/amounts.md, Cents): billed − effective cost of each
    -- commitment, and differences without a commitment
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
-- Cells are numbered by cost centre, and sums by cell, so the sums of a cost centre have
-- consecutive numbers (report/tidy_count.sql relies on it). The numbers also decide ties between
-- cells.
SELECT row_number() OVER (ORDER BY cell_id, component_position, row_key COLLATE "C", pool COLLATE "C", gl_account COLLATE "C") AS sum_id, placed.*
FROM (SELECT dense_rank() OVER (ORDER BY centre COLLATE "C", CASE line_type WHEN 'charge' THEN component.position END, reason COLLATE "C" NULLS FIRST,
                                         line_type, parent, is_carrier, CASE WHEN line_type NOT IN ('charge', 'unallocated') THEN row_key END COLLATE "C")
             AS cell_id, cost.*, parent, centre, is_carrier, component.position AS component_position
      FROM cost
      LEFT JOIN component USING (component)
      CROSS JOIN LATERAL (SELECT coalesce(invoice_key, -request_id), coalesce(cost_centre, ''), invoice_key IS NULL AND NOT is_of_attempts)
                 AS place (parent, centre, is_carrier)) AS placed;

ALTER TABLE exact_sum ALTER parent SET NOT NULL;
