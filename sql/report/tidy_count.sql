-- How many rows the sheet "Tidy data" has. This query works out the rows once, and tidy.sql reads
-- them. Facts of jobs beyond the setting tidy_jobs are added up.
WITH month AS (
    SELECT statement_month, statement_currency, ('1e-' || minor_unit_digits)::numeric AS minor_unit
    FROM statement WHERE statement_month = current_setting('kstar.statement_month')::date
), detail AS NOT MATERIALIZED (
    SELECT sum_id, attempt_id, minor_units, coalesce(NOT is_named, false) AS is_rest, family
    FROM statement_detail
    LEFT JOIN scope_place USING (attempt_id)
    WHERE statement_month = (SELECT statement_month FROM month)
      -- a cost centre's sums have consecutive numbers, so only a stretch of the table is read
      AND sum_id BETWEEN (SELECT min(sum_id) FROM scope_sum) AND (SELECT max(sum_id) FROM scope_sum)
), added AS (
    SELECT sum_id, attempt_id, false AS is_rest, family, minor_units
    FROM detail
    WHERE NOT is_rest
    UNION ALL
    SELECT sum_id, NULL, true, family, sum(minor_units)
    FROM detail
    WHERE is_rest
    GROUP BY sum_id, family
), money AS (
    SELECT block, line_type, cost_centre, component, pool, attempt_id, is_rest, family, invoice_key, row_key AS subject, reason, gl_account, added.minor_units
    FROM added
    JOIN scope_sum USING (sum_id)
), result AS (
    SELECT result.cost_centre, attempt_id, NOT is_named AS is_rest, result.family, round(node_seconds / 3600, 6) AS hours,
           CASE WHEN is_flag(verdict) THEN cash_saving_minor END AS cash_minor, CASE WHEN is_flag(verdict) THEN freed_capacity_minor END AS capacity_minor
    FROM scope_result AS result
    JOIN scope_place USING (attempt_id)
), fact AS (
    SELECT 'node-hours' AS measure, cost_centre, attempt_id, is_rest, family, 'node-hours' AS unit, hours AS amount
    FROM result
    WHERE hours <> 0
    UNION ALL
    SELECT 'flagged: cash saving', cost_centre, attempt_id, is_rest, family, statement_currency, cash_minor * minor_unit
    FROM result CROSS JOIN month
    WHERE cash_minor <> 0
    UNION ALL
    SELECT 'flagged: freed capacity', cost_centre, attempt_id, is_rest, family, statement_currency, capacity_minor * minor_unit
    FROM result CROSS JOIN month
    WHERE capacity_minor <> 0
), listed AS (
    SELECT CASE WHEN block = 'internal' AND attempt_id IS NULL AND NOT is_rest AND line_type <> 'unallocated' THEN 'credit of the carrier'
                WHEN block = 'internal' AND line_type = 'charge' THEN 'charged, internal'
                WHEN block = 'internal' THEN line_type || ', internal'
                WHEN line_type = 'charge' THEN 'charged' WHEN line_type = 'prepaid' THEN 'prepaid balance change' ELSE line_type END AS measure,
           cost_centre, component, pool, attempt_id, is_rest, family, invoice_key, subject, reason, gl_account, statement_currency AS unit,
           minor_units * minor_unit AS amount
    FROM money CROSS JOIN month
    UNION ALL
    SELECT measure, cost_centre, NULL, NULL, attempt_id, false, family, NULL, NULL, NULL, NULL, unit, amount
    FROM fact
    WHERE NOT is_rest
    UNION ALL
    SELECT measure, cost_centre, NULL, NULL, NULL, true, family, NULL, NULL, NULL, NULL, unit, sum(amount)
    FROM fact
    WHERE is_rest
    GROUP BY measure, cost_centre, family, unit
), filled AS (
    INSERT INTO report_tidy
    SELECT current_setting('kstar.cost_centre'), measure, cost_centre, component.position, component.title, pool, attempt_id, is_rest, family,
           subject, reason, gl_account, invoice_no, billing_currency, unit, amount
    FROM listed
    LEFT JOIN component USING (component)
    LEFT JOIN (SELECT invoice_key, invoice_no, billing_currency
               FROM statement_invoice JOIN month USING (statement_month) JOIN report_invoice USING (invoice_key)) AS invoice USING (invoice_key)
    RETURNING 1
)
SELECT count(*) FROM filled;
