-- The true cost of each job is the sum of its rows, component by component. Job and rows have the
-- same cost centre. The job's excess is its cost less its cost at K*; it is also the sum of cash
-- saving, freed capacity and overhead of others. $1 is the month.
WITH stated AS (
    SELECT attempt_id, component, sum(minor_units) AS minor_units
    FROM statement_row WHERE statement_month = $1::date AND attempt_id IS NOT NULL GROUP BY attempt_id, component
), shown AS (
    SELECT attempt_id, component, minor_units
    FROM job_result
    CROSS JOIN LATERAL (VALUES ('useful_compute', useful_compute_minor), ('coordination_waste', coordination_waste_minor),
                               ('unmeasured_hardware', unmeasured_hardware_minor), ('failed_runs', failed_runs_minor), ('cancelled', cancelled_minor),
                               ('cloud_fees', cloud_fees_minor), ('fixed_overhead', fixed_overhead_minor),
                               ('internal_overhead', internal_overhead_minor), ('engineering_overhead', engineering_overhead_minor)) AS part (component, minor_units)
    WHERE statement_month = $1::date AND minor_units <> 0
), differing AS (
    SELECT attempt_id, format('%s is %s cents, its rows have %s', component, coalesce(shown.minor_units, 0), coalesce(stated.minor_units, 0)) AS what
    FROM shown FULL JOIN stated USING (attempt_id, component)
    WHERE coalesce(shown.minor_units, 0) <> coalesce(stated.minor_units, 0)
    UNION ALL
    SELECT attempt_id, format('its true cost is %s cents, its components have %s', true_cost_minor, coalesce(added, 0))
    FROM job_result
    LEFT JOIN (SELECT attempt_id, sum(minor_units) AS added FROM shown GROUP BY attempt_id) AS parts USING (attempt_id)
    WHERE statement_month = $1::date AND true_cost_minor <> coalesce(added, 0)
    UNION ALL
    SELECT attempt_id, format('its cost centre is %s, its rows have %s', coalesce(job_result.cost_centre, 'none'), coalesce(row.cost_centre, 'none'))
    FROM job_result
    JOIN (SELECT DISTINCT attempt_id, cost_centre FROM statement_row WHERE statement_month = $1::date AND attempt_id IS NOT NULL) AS row USING (attempt_id)
    WHERE statement_month = $1::date AND job_result.cost_centre IS DISTINCT FROM row.cost_centre
    UNION ALL
    SELECT attempt_id, format('its excess is %s cents, of %s less %s at K*; cash saving, freed capacity and overhead of others are %s, %s and %s', excess_minor,
                              cost_minor, cost_at_k_star_minor, cash_saving_minor, freed_capacity_minor, others_overhead_minor)
    FROM job_result
    WHERE statement_month = $1::date
      AND (excess_minor <> greatest(cost_minor - cost_at_k_star_minor, 0) OR excess_minor <> cash_saving_minor + freed_capacity_minor + others_overhead_minor)
), first AS (
    SELECT format('job %s: %s', coalesce(cluster || '/' || job_id, attempt_id::text), what) AS what
    FROM differing LEFT JOIN job USING (attempt_id)
    ORDER BY attempt_id, what LIMIT 1
)
SELECT (SELECT count(*) FROM job_result WHERE statement_month = $1::date), (SELECT count(*) FROM differing), (SELECT what FROM first), NULL;
