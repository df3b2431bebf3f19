-- What the parts that were asked for add up to, beside what the statement says: the same, digit for
-- digit.
WITH month AS (
    SELECT current_setting('kstar.statement_month')::date AS statement_month, current_setting('kstar.explain_by') AS by,
           current_setting('kstar.explain_name') AS name
), stated AS (
    SELECT 'statement: ' || coalesce(component, line_type) AS what, sum(detail.amount) AS amount, sum(detail.minor_units) AS minor_units,
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
           sum(shared_part.effective_cost * exchange_rate), NULL, 1
    FROM shared_part
    JOIN month USING (statement_month)
    JOIN statement_invoice USING (statement_month, invoice_key)
    WHERE by = 'pool' AND pool = name
    GROUP BY cost_centre, target
    UNION ALL
    SELECT concat_ws(' ', 'invoice', coalesce(invoice_id, '(open)'), 'of', source || ', as billed in', billing_currency), billed_cost, minor_units, 1
    FROM statement_invoice
    JOIN month USING (statement_month)
    WHERE by = 'invoice' AND coalesce(invoice_id, '(open)') = name
    UNION ALL
    SELECT 'the line, as billed', sum(whole_billed_cost), NULL, 1
    FROM (SELECT DISTINCT file, line, line_in_record, whole_billed_cost FROM asked) AS line
    CROSS JOIN month
    WHERE by = 'line'
    HAVING count(*) > 0
), added AS (
    SELECT coalesce(sum(CASE WHEN by IN ('invoice', 'line') THEN billed_cost
                             WHEN by = 'pool' AND kind = 'shared' OR by = 'month' AND kind = 'line' AND target IN ('pool', 'tax', 'prepaid') THEN 0
                             WHEN by = 'pool' THEN effective_cost * exchange_rate
                             ELSE amount END), 0) AS amount
    FROM asked
    CROSS JOIN month
), total AS (
    SELECT coalesce(sum(amount), 0) AS amount, sum(minor_units) AS minor_units FROM stated
)
SELECT what, trim_scale(amount) AS exact, minor_amount(minor_units::bigint, minor_unit_digits) AS charged, is_same
FROM (SELECT what, amount, minor_units, place, 1 AS turn, true AS is_same FROM stated
      UNION ALL
      SELECT 'together', amount, minor_units, 0, 2, true FROM total
      UNION ALL
      SELECT 'the parts above', amount, NULL, 0, 3, true FROM added
      UNION ALL
      SELECT 'difference', added.amount - total.amount, NULL, 0, 4, false FROM added CROSS JOIN total WHERE added.amount <> total.amount) AS sum_line
CROSS JOIN (SELECT minor_unit_digits FROM statement JOIN month USING (statement_month)) AS digits
ORDER BY turn, place, what COLLATE "C";
