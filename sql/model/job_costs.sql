-- What the verdict on each attempt needs. has_finished: only then its hours say how long the work
-- takes. E(K), if it was measured on the job itself (docs/mathematics.md, section 7), and its
-- scaling. wall_hours > 0: some of its time is in the month. Hours and deadline are without
-- suspended time, because no K changes that. Last: the overhead that others would bear, the cost of
-- an hour of waiting in words, and an accelerator type that is unknown.
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
LEFT JOIN attempt_efficiency USING (attempt_id);
