-- Sheet "Adjustments": the amounts of closed months as they would be today, and as closed, by
-- source (docs/late-facts.md).
SELECT *
FROM report_adjustment
WHERE current_setting('kstar.cost_centre') IN ('', cost_centre)
ORDER BY adjusted_month, adjustment_row, source COLLATE "C";
