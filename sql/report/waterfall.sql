-- Sheet "Waterfall": each cost centre from useful compute to true cost; one column per component,
-- by its position.
SELECT centre_no, cost_centre, cost_centre_name,
       coalesce(sum(minor_units) FILTER (WHERE component_no = 1), 0)::bigint AS component_1,
       coalesce(sum(minor_units) FILTER (WHERE component_no = 2), 0)::bigint AS component_2,
       coalesce(sum(minor_units) FILTER (WHERE component_no = 3), 0)::bigint AS component_3,
       coalesce(sum(minor_units) FILTER (WHERE component_no = 4), 0)::bigint AS component_4,
       coalesce(sum(minor_units) FILTER (WHERE component_no = 5), 0)::bigint AS component_5,
       coalesce(sum(minor_units) FILTER (WHERE component_no = 6), 0)::bigint AS component_6,
       coalesce(sum(minor_units) FILTER (WHERE component_no = 7), 0)::bigint AS component_7,
       coalesce(sum(minor_units) FILTER (WHERE component_no = 8), 0)::bigint AS component_8,
       coalesce(sum(minor_units) FILTER (WHERE component_no = 9), 0)::bigint AS component_9,
       coalesce(sum(minor_units) FILTER (WHERE component_no = 10), 0)::bigint AS component_10,
       coalesce(sum(minor_units) FILTER (WHERE component_no = 11), 0)::bigint AS component_11,
       coalesce(sum(minor_units) FILTER (WHERE component_no = 12), 0)::bigint AS component_12,
       coalesce(sum(minor_units) FILTER (WHERE component_no = 13), 0)::bigint AS component_13,
       coalesce(sum(minor_units) FILTER (WHERE component_no = 14), 0)::bigint AS component_14,
       coalesce(sum(minor_units) FILTER (WHERE component_no = 15), 0)::bigint AS component_15,
       coalesce(sum(minor_units) FILTER (WHERE component_no = 16), 0)::bigint AS component_16,
       coalesce(sum(minor_units) FILTER (WHERE section = 1), 0)::bigint AS on_the_bill,
       coalesce(sum(minor_units) FILTER (WHERE section = 6), 0)::bigint AS internal_charges,
       sum(minor_units)::bigint AS true_cost
FROM report_line
WHERE section IN (1, 6) AND current_setting('kstar.cost_centre') IN ('', cost_centre)
GROUP BY centre_no, cost_centre, cost_centre_name
ORDER BY centre_no;
