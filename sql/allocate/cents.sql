-- Cents, fixed once (design 3.6): each part is floored to whole minor units; what is missing to the parent goes one unit
-- each to the largest remainders, ties by part. A part of -0.005 floors to -0.01 before units are handed out.
-- Identity: Σ parts = parent_minor. It can always be met: the parent is the rounded sum, so fewer units are missing
-- than there are parts with a remainder.
TRUNCATE cents_result;

INSERT INTO cents_result (request_id, part, minor_units)
WITH floored AS (
    SELECT request_id, part, parent_minor,
           floor(amount * ('1e' || minor_unit_digits)::numeric)::bigint AS units,
           amount * ('1e' || minor_unit_digits)::numeric
               - floor(amount * ('1e' || minor_unit_digits)::numeric)   AS remainder
    FROM cents_request CROSS JOIN month
), ranked AS (
    SELECT floored.*,
           parent_minor - sum(units) OVER (PARTITION BY request_id)                         AS missing,
           row_number() OVER (PARTITION BY request_id ORDER BY remainder DESC, part)        AS turn
    FROM floored
)
SELECT request_id, part, units + (turn <= missing)::integer
FROM ranked;

TRUNCATE cents_request;
