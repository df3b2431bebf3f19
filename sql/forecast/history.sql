-- The history of the months $1 to $2 by cost centre and family. Family '' is cost that is on no
-- job. Money is in minor units. Work is that of productive attempts; without a measured E above 0
-- all of an attempt's node-hours count. Hours are added up as decimals, so that the order of rows
-- does not matter.
WITH span AS (
    SELECT $1::date AS from_month, $2::date AS to_month
), attempt AS (
    SELECT job_result.*, base_state IN ('PREEMPTED', 'NODE_FAIL', 'BOOT_FAIL') AS was_interrupted,
           useful_compute_minor + coordination_waste_minor + unmeasured_hardware_minor AS hardware_minor, ('1e' || minor_unit_digits)::numeric AS unit
    FROM job_result JOIN statement USING (statement_month) CROSS JOIN span
    WHERE statement_month BETWEEN from_month AND to_month
), on_jobs AS (
    SELECT statement_month, coalesce(cost_centre, '(unallocated)') AS cost_centre, coalesce(family, '(none)') AS family,
           coalesce(sum((node_hours * coalesce(nullif(efficiency, 0)::double precision, 1))::numeric) FILTER (WHERE outcome = 'productive'),
                    0)::double precision                                                             AS ideal_node_hours,
           coalesce(sum(node_hours::numeric) FILTER (WHERE outcome = 'productive' AND coalesce(efficiency, 0) = 0),
                    0)::double precision                                                             AS unmeasured_node_hours,
           coalesce(sum(node_hours::numeric) FILTER (WHERE outcome = 'productive'), 0)::double precision AS node_hours,
           coalesce(sum(hardware_minor) FILTER (WHERE outcome = 'productive'), 0)                    AS hardware,
           sum(cloud_fees_minor)                                                                     AS fees,
           sum(failed_runs_minor)                                                                    AS failed,
           coalesce(sum(failed_runs_minor) FILTER (WHERE was_interrupted), 0)                        AS failed_interrupted,
           sum(cancelled_minor)                                                                      AS cancelled,
           sum(fixed_overhead_minor + internal_overhead_minor)                                 AS fixed,
           sum(engineering_overhead_minor)                                                           AS engineering,
           sum(overhead_per_node_hour::numeric * node_hours::numeric * unit)::double precision       AS fixed_by_node_hours,
           count(*) FILTER (WHERE outcome = 'failed')                                                AS failed_attempts
    FROM attempt
    GROUP BY statement_month, coalesce(cost_centre, '(unallocated)'), coalesce(family, '(none)')
), without_job AS ( -- cost that is not of a job: of a cost centre, or unallocated
    SELECT statement_month, coalesce(cost_centre, '(unallocated)') AS cost_centre,
           sum(minor_units) FILTER (WHERE line_type = 'charge' AND component IN ('idle', 'unused_commitments'))   AS idle_and_unused,
           sum(minor_units) FILTER (WHERE line_type = 'charge' AND component IN ('shared_services', 'fixed_overhead')) AS shared_services,
           sum(minor_units) FILTER (WHERE line_type = 'charge' AND component = 'direct_cost')                     AS direct_cost,
           sum(minor_units) FILTER (WHERE line_type = 'charge' AND component = 'tax')                             AS tax,
           sum(minor_units) FILTER (WHERE line_type = 'charge' AND component IN ('credits', 'charge_adjustments')) AS credits,
           sum(minor_units) FILTER (WHERE line_type = 'unallocated')                                              AS unallocated
    FROM statement_sum CROSS JOIN span
    WHERE statement_month BETWEEN from_month AND to_month AND block = 'invoice' AND line_type IN ('charge', 'unallocated') AND NOT is_of_attempts
    GROUP BY statement_month, coalesce(cost_centre, '(unallocated)')
)
SELECT extract(year FROM statement_month)::int * 12 + extract(month FROM statement_month)::int - 1 AS month, cost_centre, family,
       ideal_node_hours, unmeasured_node_hours, node_hours, hardware, fees, failed, failed_interrupted, cancelled, fixed, engineering,
       failed_attempts, fixed_by_node_hours, idle_and_unused, shared_services, direct_cost, tax, credits, unallocated
FROM (SELECT statement_month, cost_centre, family, ideal_node_hours, unmeasured_node_hours, node_hours, hardware, fees, failed,
             failed_interrupted, cancelled, fixed, engineering, failed_attempts, fixed_by_node_hours,
             0 AS idle_and_unused, 0 AS shared_services, 0 AS direct_cost, 0 AS tax, 0 AS credits, 0 AS unallocated
      FROM on_jobs
      UNION ALL
      SELECT statement_month, cost_centre, '', 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, coalesce(idle_and_unused, 0), coalesce(shared_services, 0),
             coalesce(direct_cost, 0), coalesce(tax, 0), coalesce(credits, 0), coalesce(unallocated, 0)
      FROM without_job) AS cell
ORDER BY cost_centre COLLATE "C", family COLLATE "C", month;
