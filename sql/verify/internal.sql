-- Internal charges add up to zero, in cents and exactly, for each transfer. $1 is the month.
WITH added AS (
    SELECT pool, count(*) AS rows, sum(minor_units) AS minor_units, sum(amount) AS amount
    FROM statement_row WHERE statement_month = $1::date AND block = 'internal' GROUP BY pool
)
SELECT coalesce(sum(rows), 0)::bigint, count(*) FILTER (WHERE minor_units <> 0 OR amount <> 0),
       min(format('%s: its rows add up to %s cents and %s exactly', pool, minor_units, trim_scale(amount)) COLLATE "C") FILTER (WHERE minor_units <> 0 OR amount <> 0), NULL
FROM added;
