-- The terms of the invoice equation, in cents. In each row of the page the first term is the sum of
-- the others.
SELECT turn, term, pg_temp.page_money(minor_units) AS amount, meaning
FROM (SELECT coalesce(sum(minor_units) FILTER (WHERE section BETWEEN 1 AND 5), 0) AS invoiced,
             coalesce(sum(minor_units) FILTER (WHERE section = 1), 0) AS charged, coalesce(sum(minor_units) FILTER (WHERE section = 2), 0) AS unallocated,
             coalesce(sum(minor_units) FILTER (WHERE section = 3), 0) AS tax, coalesce(sum(minor_units) FILTER (WHERE section = 4), 0) AS prepaid,
             coalesce(sum(minor_units) FILTER (WHERE section = 5), 0) AS unexplained, coalesce(sum(minor_units) FILTER (WHERE section = 6), 0) AS internal,
             coalesce(sum(minor_units) FILTER (WHERE section = 7), 0) AS nobodys
      FROM report_line
      WHERE current_setting('kstar.cost_centre') IN ('', cost_centre)) AS line
CROSS JOIN (SELECT coalesce(sum(minor_units) FILTER (WHERE section < 3), 0) AS adjusted, coalesce(sum(minor_units), 0) AS all_adjusted
            FROM report_adjustment
            WHERE current_setting('kstar.cost_centre') IN ('', cost_centre)) AS adjustment
CROSS JOIN LATERAL (VALUES
    (1, true, 'invoiced', invoiced, NULL), (2, true, 'charged to cost centres', charged, NULL), (3, true, 'unallocated', unallocated, 'no cost centre pays it'),
    (4, true, 'recoverable tax', tax, 'booked to the balance sheet'),
    (5, true, 'prepaid balance change', prepaid, 'billed minus used of commitments'),
    (6, true, 'unexplained', unexplained, NULL),
    (11, false, 'true cost', charged + internal, NULL), (12, false, 'charged from invoices', charged, NULL),
    (13, false, 'internal charges', internal, 'own nodes, overhead and engineering time'),
    (21, true, 'true cost', charged + internal, NULL), (22, true, 'charged from invoices', charged, NULL),
    (23, true, 'internal charges', internal, 'credited to whoever carries them'),
    (31, true, 'unallocated internal charges', nobodys, 'of jobs without a cost centre; no part of true cost'),
    (41, true, 'adjustments to closed months', adjusted, 'booked beside the equation'),
    (41, false, 'adjustments to closed months', all_adjusted, 'booked beside this month''s cost')) AS equation_term (turn, is_everybodys, term, minor_units, meaning)
WHERE is_everybodys = (current_setting('kstar.cost_centre') = '') AND (turn < 31 OR minor_units <> 0)
ORDER BY turn;
