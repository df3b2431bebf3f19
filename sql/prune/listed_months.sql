-- The months that prune/months.sql looked at, and why some stay.
SELECT to_char(statement_month, 'YYYY-MM') AS "month", coalesce(reason, '') AS "stays_because"
FROM prune_month
ORDER BY statement_month;
