-- Sheet "Adjustments": what closed months would say today, against what they said, per source
-- (docs/close.md).
SELECT *
FROM report_adjustment
WHERE current_setting('kstar.cost_centre') IN ('', cost_centre)
ORDER BY adjusted_month, adjustment_row, source COLLATE "C";
