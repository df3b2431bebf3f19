-- True cost of each month by cost centre: the five that cost most over the twelve months, and the
-- others together.
WITH centre AS (
    SELECT cost_centre, row_number() OVER (ORDER BY sum(minor_units) DESC, cost_centre COLLATE "C") AS place
    FROM report_month_cost
    GROUP BY cost_centre
)
SELECT to_char(statement_month, 'YYYY-MM') AS period, to_char(statement_month, 'Mon') AS month, to_char(statement_month, 'FMMonth YYYY') AS month_name,
       least(place, 6) AS part, max(CASE WHEN place < 6 THEN cost_centre ELSE 'others' END) AS part_name, sum(minor_units)::bigint AS minor_units
FROM report_month_cost
JOIN centre USING (cost_centre)
GROUP BY statement_month, least(place, 6)
ORDER BY statement_month, part;
