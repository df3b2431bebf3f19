-- The productive work of the months $1 to $2 by accelerator ('': unknown), node count and K*, for
-- node policies. Hours are added up as decimals, so that the order of rows does not matter. k_star
-- is the nearer end of a job's band if the job is above it, or below it and the job's own cost
-- would fall. Otherwise k_star is the job's own K: the policy leaves the job where it is. 0:
-- unknown.
SELECT cost_centre, family, accelerator, k, k_star, sum(node_hours::numeric)::double precision, sum(wall_hours::numeric)::double precision
FROM (SELECT coalesce(cost_centre, '(unallocated)') AS cost_centre, coalesce(family, '(none)') AS family, coalesce(accelerator, '') AS accelerator, k,
             CASE WHEN k_star IS NULL THEN 0
                  WHEN k > k_star OR verdict IN ('below K*', 'below, within measurement error') THEN k_star ELSE k END AS k_star,
             node_hours, wall_hours
      FROM job_result
      WHERE statement_month BETWEEN $1::date AND $2::date AND outcome = 'productive') AS job
GROUP BY cost_centre, family, accelerator, k, k_star
ORDER BY cost_centre COLLATE "C", family COLLATE "C", accelerator COLLATE "C", k, k_star;
