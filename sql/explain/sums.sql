-- The sum of the parts that were asked for, beside the figure of the statement. Both are the same,
-- digit for digit.
WITH month AS (
    SELECT current_setting('kstar.statement_month')::date AS statement_month, current_setting('kstar.explain_by') AS by,
           current_setting('kstar.explain_name') AS name
), stated AS (
    SELECT 'statement: ' || concat_ws(': ', nullif(line_type, 'charge'), component) AS what, NULL AS currency, sum(detail.amount) AS amount, sum(detail.minor_units) AS minor_units,
           CASE WHEN component IS NULL THEN 99 ELSE position END AS place
    FROM statement_sum
    JOIN month USING (statement_month)
    JOIN statement_detail AS detail USING (statement_month, sum_id)
    LEFT JOIN component USING (component)
    WHERE CASE by WHEN 'job' THEN detail.attempt_id = ANY (current_setting('kstar.explain_attempts')::bigint[])
                  WHEN 'cost centre' THEN cost_centre = name AND line_type = 'charge'
                  WHEN 'month' THEN line_type IN ('charge', 'unallocated', 'balance sheet') END
    GROUP BY component, line_type, position
    UNION ALL
    SELECT 'handed on: ' || coalesce('cost centre ' || cost_centre, CASE target WHEN 'job' THEN 'jobs' ELSE target END),
           NULL, sum(shared_part.effective_cost * exchange_rate), NULL, 1
    FROM shared_part
    JOIN month USING (statement_month)
    JOIN statement_invoice USING (statement_month, invoice_key)
    WHERE by = 'pool' AND pool = name
    GROUP BY cost_centre, target
    UNION ALL
    SELECT format('invoice %s of %s, as billed in %s', coalesce(invoice_id, '(open)'), concat_ws(', ', source, invoice_issuer_name), billing_currency),
           billing_currency, billed_cost, minor_units, 1
    FROM statement_invoice
    JOIN month USING (statement_month)
    WHERE by = 'invoice' AND coalesce(invoice_id, '(open)') = name
    UNION ALL
    SELECT 'the line, as billed in ' || billing_currency, NULL, sum(whole_billed_cost), NULL, 1
    FROM (SELECT DISTINCT file, line, line_in_record, coalesce(reason, '') = 'quarantined', invoice_issuer, invoice_id, billing_currency, whole_billed_cost
          FROM asked) AS line -- what is left of records that cancel has the place of the first
    CROSS JOIN month
    WHERE by = 'line'
    GROUP BY billing_currency
), compared AS ( -- amounts of an invoice are in the invoice's currency
    SELECT currency, sum(stated) AS stated, sum(added) AS added, CASE WHEN count(*) OVER () > 1 THEN ' in ' || currency ELSE '' END AS in_currency
    FROM (SELECT currency, amount AS stated, 0 AS added FROM stated
          UNION ALL
          SELECT CASE WHEN by = 'invoice' THEN billing_currency END, 0,
                 CASE WHEN by IN ('invoice', 'line') THEN billed_cost
                      WHEN by = 'pool' AND kind = 'shared' OR by = 'month' AND kind = 'line' AND target IN ('pool', 'tax', 'prepaid') THEN 0
                      WHEN by = 'pool' THEN effective_cost * exchange_rate
                      ELSE amount END
          FROM asked CROSS JOIN month
          UNION ALL
          SELECT NULL, 0, 0 FROM month WHERE by <> 'invoice') AS side
    GROUP BY currency
)
SELECT what, trim_scale(amount) AS exact, minor_amount(minor_units::bigint, minor_unit_digits) AS charged, is_same
FROM (SELECT what, amount, minor_units, place, 1 AS turn, true AS is_same FROM stated
      UNION ALL
      SELECT 'together', CASE WHEN count(*) = 1 THEN sum(stated) END, (SELECT sum(minor_units) FROM stated), 0, 2, true FROM compared
      UNION ALL
      SELECT 'the parts above' || in_currency, added, NULL, 0, 3, true FROM compared
      UNION ALL
      SELECT 'difference' || in_currency, added - stated, NULL, 0, 4, false FROM compared WHERE added <> stated) AS sum_line
CROSS JOIN (SELECT minor_unit_digits FROM statement JOIN month USING (statement_month)) AS digits
ORDER BY turn, place, what COLLATE "C";
