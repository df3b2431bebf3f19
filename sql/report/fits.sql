-- Sheets "Scaling fits" and "About": the laws used. A cost centre's workbook has the families of
-- its own jobs.
SELECT family, series, scaling, law, t1_hours, serial_fraction, communication_coefficient, step, smallest_k, largest_k,
       measurements, distinct_k, r_squared, largest_residual, low_confidence, reason, alternatives, price_per_node_hour,
       overhead_per_node_hour, fixed_per_wall_hour, waiting_per_hour, k_least_money, k_star, k_star_interval, k_fastest,
       checkpoint_interval_hours, interruption_share
FROM family_fit
WHERE statement_month = current_setting('kstar.statement_month')::date
  AND (current_setting('kstar.cost_centre') = ''
       OR jobs_family IN (SELECT family FROM scope_result))
ORDER BY family COLLATE "C";
