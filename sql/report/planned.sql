-- Sheet "Planned trainings" of the review: trainings whose cost at K is unknown or above the limit,
-- the dearest first.
SELECT training, family, month, cost_centre, requested_by, k, hours, cost_minor, k_star, waiting_per_hour, hours_at_k_star, cost_at_k_star_minor,
       CASE WHEN cost_at_k_star_minor IS NOT NULL THEN greatest(cost_minor - cost_at_k_star_minor, 0) END AS saving_minor,
       coalesce('approved by ' || approved_by, 'to be approved') AS state, nullif(remark, '') AS remark
FROM planned_training_cost
WHERE statement_month = current_setting('kstar.statement_month')::date
  AND needs_approval(statement_month, cost_minor)
ORDER BY cost_minor DESC NULLS FIRST, training COLLATE "C";
