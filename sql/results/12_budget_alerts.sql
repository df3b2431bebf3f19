-- The thresholds that the statement crosses. A crossing that is over is deleted, so that the next
-- one is new. A crossing that lasts keeps its row.
CREATE TEMP TABLE crossing ON COMMIT DROP AS
SELECT cost_centre, measure, threshold
FROM month CROSS JOIN LATERAL budget_crossing(statement_month);

DELETE FROM budget_alert
USING month
WHERE budget_alert.statement_month = month.statement_month
  AND (cost_centre, measure, threshold) NOT IN (SELECT cost_centre, measure, threshold FROM crossing);

INSERT INTO budget_alert (statement_month, cost_centre, measure, threshold)
SELECT statement_month, cost_centre, measure, threshold
FROM crossing CROSS JOIN month
ON CONFLICT DO NOTHING;
