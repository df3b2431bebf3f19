-- The months of history: statements in the currency of the latest one, without a gap up to it. A
-- statement that lacks more than the last day of its month does not count. Nor does an open one if
-- a source's bill lacks more than that day. A month is year × 12 + month − 1. The last column is
-- the number of earlier statements.
WITH whole AS (
    SELECT statement.*
    FROM statement
    CROSS JOIN LATERAL (SELECT (statement_month + interval '1 month' - interval '1 day')::timestamptz AS last_day) AS month
    WHERE as_of >= last_day
      AND (status = 'Final' OR NOT EXISTS (SELECT FROM bill_extent(statement_month) WHERE billed_to < last_day))
), latest AS (
    SELECT statement_month AS latest_month, statement_currency, minor_unit_digits
    FROM whole
    ORDER BY statement_month DESC
    LIMIT 1
), numbered AS (
    SELECT statement_month, statement_currency, latest.minor_unit_digits, latest_month,
           row_number() OVER (ORDER BY statement_month DESC) - 1 AS months_before
    FROM whole JOIN latest USING (statement_currency)
)
SELECT extract(year FROM statement_month)::int * 12 + extract(month FROM statement_month)::int - 1, statement_currency, minor_unit_digits,
       (SELECT count(*) FROM statement AS earlier WHERE earlier.statement_month < numbered.statement_month)
FROM numbered
WHERE statement_month + make_interval(months => months_before::int) = latest_month
ORDER BY statement_month;
