-- What the verdict on each attempt needs.
DECLARE job_costs NO SCROLL CURSOR FOR
SELECT attempt_id, coalesce(family, ''), k, price_per_k_hour, fixed_per_wall_hour, waiting_cost_per_hour, job_hours, deadline_hours,
       capacity
FROM job_cost
ORDER BY attempt_id;
