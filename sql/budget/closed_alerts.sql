-- New crossings of closed statements: no night has reported them, and the summaries of open
-- statements do not list them.
SELECT format('  alert       %s, closed: %s: %s %s of %s, past %s %% (new)', to_char(statement_month, 'YYYY-MM'), cost_centre, measure,
              money_text(amount_minor, minor_unit_digits), money_text(budget_minor, minor_unit_digits),
              string_agg(trim_scale(threshold)::text, ', ' ORDER BY threshold))
FROM (SELECT DISTINCT statement_month FROM budget_alert WHERE NOT noted) AS alerted
JOIN statement USING (statement_month)
CROSS JOIN budget_crossing(statement_month)
JOIN budget_alert USING (statement_month, cost_centre, measure, threshold)
WHERE status = 'Final' AND NOT noted
GROUP BY statement_month, cost_centre, measure, amount_minor, budget_minor, minor_unit_digits
ORDER BY statement_month, cost_centre COLLATE "C", measure DESC;
