-- One row for each dropped load: how many of its lines reappear in other billing periods, their
-- money and those periods. Also how many lines reappear as the same charge with other costs.
-- Reappearing lines are not counted if none of them has a cost: charging them twice changes
-- nothing.
CREATE TEMP TABLE period_again ON COMMIT DROP AS
WITH sum_again AS (
    SELECT load_id, billing_currency, count(*) AS lines, sum(billed_cost) AS billed, sum(effective_cost) AS effective,
           bool_or(billed_cost <> 0 OR effective_cost <> 0) AS has_cost
    FROM line_again
    GROUP BY load_id, billing_currency
), again AS (
    SELECT load_id, sum(lines) AS lines,
           string_agg(billing_currency || ' ' || trim_scale(CASE WHEN billed <> 0 THEN billed ELSE effective END), ', ' ORDER BY billing_currency) AS money
    FROM sum_again
    GROUP BY load_id
    HAVING bool_or(has_cost)
), place AS (
    SELECT load_id, array_agg(DISTINCT period ORDER BY period) AS reappears_in
    FROM line_again CROSS JOIN unnest(reappears_in) AS period
    GROUP BY load_id
), alike AS (
    SELECT load_id, count(*) AS lines
    FROM compared_line
    WHERE role = 'dropped'
      AND EXISTS (SELECT charge FROM compared_line AS brought WHERE brought.role = 'brought' AND brought.charge = compared_line.charge)
      AND NOT EXISTS (SELECT identity FROM compared_line AS brought WHERE brought.role = 'brought' AND brought.identity = compared_line.identity)
    GROUP BY load_id
)
SELECT load_id, billing_period, row_count, again.lines, money, reappears_in, alike.lines AS alike_lines
FROM dropped_load
LEFT JOIN again USING (load_id)
LEFT JOIN place USING (load_id)
LEFT JOIN alike USING (load_id)
WHERE again.lines > 0 OR alike.lines > 0;
