-- Sheet "Summary": cost by cost centre, the components in six groups; the dearest first.
WITH flagged AS (
    SELECT cost_centre, sum(excess_minor) AS excess_minor
    FROM scope_result
    WHERE is_flag(verdict)
    GROUP BY cost_centre
), added AS (
    SELECT centre_no, cost_centre, cost_centre_name,
           coalesce(sum(minor_units) FILTER (WHERE component_no = 1), 0)::bigint               AS useful,
           coalesce(sum(minor_units) FILTER (WHERE component_no = 2), 0)::bigint               AS waste,
           coalesce(sum(minor_units) FILTER (WHERE component_no IN (4, 5)), 0)::bigint         AS failed,
           coalesce(sum(minor_units) FILTER (WHERE component_no IN (3, 6, 11)), 0)::bigint     AS other,
           coalesce(sum(minor_units) FILTER (WHERE component_no IN (7, 8, 9, 10, 12, 13, 14)), 0)::bigint AS shared,
           coalesce(sum(minor_units) FILTER (WHERE component_no IN (15, 16)), 0)::bigint       AS internal_overhead,
           sum(minor_units)::bigint AS true_cost
    FROM report_line
    WHERE section IN (1, 6) AND current_setting('kstar.cost_centre') IN ('', cost_centre)
    GROUP BY centre_no, cost_centre, cost_centre_name
)
SELECT added.*, coalesce(excess_minor, 0)::bigint AS excess_minor,
       true_cost / nullif(sum(true_cost) OVER (), 0) AS share
FROM added LEFT JOIN flagged USING (cost_centre)
ORDER BY true_cost DESC, cost_centre COLLATE "C";
