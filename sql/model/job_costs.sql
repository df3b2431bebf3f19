-- What the verdict on each attempt needs. Whether it did all of its work: only then its hours say
-- how long that takes. E(K) where it was measured on the job itself (docs/mathematics.md, section
-- 7), and under which scaling. Whether any of its time is in the month. Time that it stood still no
-- K changes: neither hours nor what is left of a deadline have it. Last what others would bear of
-- its overhead, what an hour of waiting is counted at, in words, and a type of its accelerators of
-- which nobody knows what it is.
DECLARE job_costs NO SCROLL CURSOR FOR
SELECT attempt_id, coalesce(family, ''), k, price_per_k_hour, overhead_per_k_hour, fixed_per_wall_hour, job_cost.waiting_cost_per_hour,
       job_hours - suspended_hours, deadline_hours - suspended_hours,
       capacity, has_finished, CASE WHEN efficiency_from = 'job' THEN efficiency END, scaling,
       wall_hours > 0, coalesce(accelerator, ''), shared_per_k_hour, shared_per_wall_hour,
       words,
       coalesce(unknown_type, '')
FROM job_cost
JOIN (SELECT rate.waiting_cost_per_hour, waiting_text(rate.waiting_cost_per_hour, statement_currency) AS words
      FROM (SELECT DISTINCT waiting_cost_per_hour FROM job_cost) AS rate
      CROSS JOIN month
      OFFSET 0) AS waiting USING (waiting_cost_per_hour)
LEFT JOIN attempt_accelerator USING (attempt_id)
LEFT JOIN attempt_efficiency USING (attempt_id)
ORDER BY attempt_id;
