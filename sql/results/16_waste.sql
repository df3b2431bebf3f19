-- The coordination waste of each family on K nodes, divided into exposed communication, idle and
-- other, if the step was traced or sampled at that K. Shares of strong scaling go before weak, then
-- traces before samples; several measurements are averaged. Cents go by largest remainder, ties in
-- the order above. A waste below 0 is divided as its opposite.
INSERT INTO family_waste (statement_month, family, k, cost_centre, shares_from, waste_minor, exposed_communication_minor, idle_minor, other_minor)
WITH share AS (
    SELECT DISTINCT ON (family, k) family, k, shares_from,
           ARRAY[avg(exposed_communication::numeric), avg(idle::numeric), avg(other::numeric)] AS weights
    FROM measurement
    WHERE exposed_communication + idle + other > 0
    GROUP BY family, k, scaling, shares_from
    ORDER BY family, k, scaling, shares_from DESC -- 'strong' < 'weak', 'samples' < 'trace'
), wasted AS (
    SELECT family, k, cost_centre, sum(coordination_waste_minor) AS minor_units
    FROM job_result
    JOIN month USING (statement_month)
    GROUP BY family, k, cost_centre
    HAVING sum(coordination_waste_minor) <> 0
), cut AS (
    SELECT family, k, cost_centre, shares_from, minor_units, part,
           div(abs(minor_units) * weight, total) AS units, mod(abs(minor_units) * weight, total) AS remainder
    FROM wasted
    JOIN share USING (family, k)
    CROSS JOIN unnest(weights) WITH ORDINALITY AS weighed (weight, part)
    CROSS JOIN LATERAL (SELECT sum(each) FROM unnest(weights) AS each) AS added (total)
), rounded AS (
    SELECT family, k, cost_centre, shares_from, minor_units, part,
           sign(minor_units) * (units + (row_number() OVER (whole ORDER BY remainder DESC, part)
                                         <= abs(minor_units) - sum(units) OVER whole)::integer) AS part_units
    FROM cut
    WINDOW whole AS (PARTITION BY family, k, cost_centre)
)
SELECT statement_month, family, k, cost_centre, shares_from, minor_units,
       sum(part_units) FILTER (WHERE part = 1), sum(part_units) FILTER (WHERE part = 2), sum(part_units) FILTER (WHERE part = 3)
FROM rounded
CROSS JOIN month
GROUP BY statement_month, family, k, cost_centre, shares_from, minor_units;
