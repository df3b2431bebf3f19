-- Crossings that no hook has received: of open months and of the one closed last, which its
-- close may have published.
SELECT to_char(statement_month, 'YYYY-MM'), cost_centre, measure, threshold
FROM budget_alert JOIN statement USING (statement_month)
WHERE NOT is_sent AND (status = 'Preliminary' OR statement_month = (SELECT max(statement_month) FROM closure))
ORDER BY statement_month, cost_centre COLLATE "C", measure DESC, threshold;
