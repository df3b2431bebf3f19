-- The rows of each payer are its charges and its parts of pools and tax, for each invoice, billed
-- and effective, digit for digit. A payer is an attempt, a cost centre or nobody. Rows of cost
-- centres and of nobody are compared by component, service, pool, reason and account of tax. $1 is
-- the month.
WITH charged AS (
    SELECT invoice_key, attempt_id, NULL AS cost_centre, NULL AS paid_for, billed_cost, effective_cost
    FROM charge WHERE statement_month = $1::date AND target = 'job' AND charge_part IN ('hardware', 'fees')
    UNION ALL
    SELECT invoice_key, NULL, cost_centre,
           concat_ws(' ', CASE WHEN cost_centre IS NULL THEN 'unallocated' ELSE 'charge' END,
                     CASE WHEN target = 'unallocated' THEN NULL WHEN charge_part IN ('credits', 'charge_adjustments') THEN charge_part ELSE 'direct_cost' END,
                     coalesce(service_name, '(none)'), CASE WHEN target = 'job' AND cost_centre IS NULL THEN 'job without cost centre' ELSE reason END),
           billed_cost, effective_cost
    FROM class_charge
    WHERE statement_month = $1::date
      AND (target IN ('cost centre', 'unallocated') OR target = 'job' AND charge_part IN ('credits', 'charge_adjustments'))
    UNION ALL
    SELECT invoice_key, attempt_id, CASE WHEN attempt_id IS NULL THEN cost_centre END,
           CASE WHEN attempt_id IS NULL
                THEN concat_ws(' ', CASE target WHEN 'cost centre' THEN 'charge' ELSE target END,
                               CASE WHEN target = 'balance sheet' THEN NULL WHEN shared_kind = 'tax' THEN 'tax' ELSE coalesce(component, 'shared_services') END,
                               coalesce(gl_account, pool), pool, reason, gl_account) END,
           billed_cost, effective_cost
    FROM shared_part WHERE statement_month = $1::date
), due AS (
    SELECT invoice_key, coalesce(attempt_id, 0) AS attempt, coalesce(cost_centre, '') AS centre, coalesce(paid_for, '') AS paid_for,
           sum(billed_cost) AS billed_cost, sum(effective_cost) AS effective_cost
    FROM charged GROUP BY 1, 2, 3, 4
), stated AS (
    SELECT invoice_key, coalesce(attempt_id, 0) AS attempt, CASE WHEN attempt_id IS NULL THEN coalesce(cost_centre, '') ELSE '' END AS centre,
           CASE WHEN attempt_id IS NULL THEN concat_ws(' ', line_type, component, row_key, pool, reason, CASE line_type WHEN 'balance sheet' THEN gl_account END) ELSE '' END AS paid_for,
           sum(billed_cost) AS billed_cost, sum(effective_cost) AS effective_cost
    FROM statement_row WHERE statement_month = $1::date AND block = 'invoice' GROUP BY 1, 2, 3, 4
), compared AS (
    SELECT invoice_key, attempt, centre, paid_for, due.billed_cost AS billed_due, due.effective_cost AS effective_due, stated.billed_cost, stated.effective_cost,
           (coalesce(due.billed_cost, 0) <> coalesce(stated.billed_cost, 0) OR coalesce(due.effective_cost, 0) <> coalesce(stated.effective_cost, 0))
           AND NOT EXISTS (SELECT FROM pruned_month WHERE statement_month = $1::date) AS differs
    FROM due FULL JOIN stated USING (invoice_key, attempt, centre, paid_for)
), first AS (
    SELECT format('%s, invoice %s: charged %s billed and %s effective, its rows have %s and %s',
                  CASE WHEN attempt <> 0 THEN 'job ' || coalesce(cluster || '/' || job_id, attempt::text) WHEN centre = '' THEN paid_for
                       ELSE 'cost centre ' || centre || ', ' || paid_for END,
                  coalesce(invoice_id, '(open)'), coalesce(billed_due, 0), coalesce(effective_due, 0), coalesce(billed_cost, 0), coalesce(effective_cost, 0)) AS what
    FROM compared
    LEFT JOIN job ON job.attempt_id = attempt
    LEFT JOIN invoice USING (invoice_key)
    WHERE differs
    ORDER BY centre COLLATE "C", attempt, invoice_key, paid_for COLLATE "C"
    LIMIT 1
)
SELECT count(*), count(*) FILTER (WHERE differs), (SELECT what FROM first),
       (SELECT 'the charges were pruned; the archived parts below have them' FROM pruned_month WHERE statement_month = $1::date)
FROM compared;
