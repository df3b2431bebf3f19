-- Exact splits (design 3.5): each amount of split_request goes to its parts in proportion to their weights, at its own
-- scale + 6 digits; what truncation leaves over goes in units of the last digit to the largest remainders, ties by
-- part. The sign is put back last, so that a credit is split like a charge.
-- Identity: Σ parts = the whole, digit for digit, for billed and for effective cost.
--
-- |amount| · 10^digits is an integer, div() truncates exactly, and the remainder is compared as an exact number: no
-- quotient is ever rounded. ('1e-n')::numeric is exact where power() and division keep 16 digits only.
TRUNCATE split_result;

INSERT INTO split_result (request_id, part, billed_cost, effective_cost)
WITH scaled AS (
    SELECT request_id, part, weight,
           sum(weight) OVER request           AS total_weight,
           ('1e' || scale(billed_cost) + 6)::numeric    AS billed_unit,
           ('1e' || scale(effective_cost) + 6)::numeric AS effective_unit,
           billed_cost, effective_cost
    FROM split_request
    WINDOW request AS (PARTITION BY request_id)
), truncated AS (
    SELECT scaled.*,
           div(abs(billed_cost)    * billed_unit    * weight, total_weight) AS billed_units,
           div(abs(effective_cost) * effective_unit * weight, total_weight) AS effective_units
    FROM scaled
), left_over AS (
    SELECT truncated.*,
           abs(billed_cost)    * billed_unit    - sum(billed_units)    OVER request AS billed_left,
           abs(effective_cost) * effective_unit - sum(effective_units) OVER request AS effective_left,
           row_number() OVER (PARTITION BY request_id
                              ORDER BY abs(billed_cost) * billed_unit * weight - billed_units * total_weight DESC,
                                       part) AS billed_turn,
           row_number() OVER (PARTITION BY request_id
                              ORDER BY abs(effective_cost) * effective_unit * weight - effective_units * total_weight DESC,
                                       part) AS effective_turn
    FROM truncated
    WINDOW request AS (PARTITION BY request_id)
)
SELECT request_id, part,
       sign(billed_cost) * (billed_units + (billed_turn <= billed_left)::integer)
           * ('1e-' || scale(billed_cost) + 6)::numeric,
       sign(effective_cost) * (effective_units + (effective_turn <= effective_left)::integer)
           * ('1e-' || scale(effective_cost) + 6)::numeric
FROM left_over;

TRUNCATE split_request;
