-- Stores the cost of training $1: hours and cost at K, K* with its hours and cost, a remark, and
-- the cost of an hour of waiting for which K* was found. Before the first statement there are no
-- prices, and so no costs.
INSERT INTO planned_training_cost (statement_month, training, family, month, cost_centre, requested_by, approved_by, k, hours,
                                   cost_minor, k_star, hours_at_k_star, cost_at_k_star_minor, remark, waiting_per_hour)
SELECT coalesce(statement_month, '-infinity'), training, family, month, cost_centre, requested_by, approved_by, k,
       $2::double precision, round($3::numeric * 10::numeric ^ minor_unit_digits)::bigint, $4::integer, $5::double precision,
       round($6::numeric * 10::numeric ^ minor_unit_digits)::bigint, $7, $8::double precision
FROM planned_training
LEFT JOIN statement ON statement_month = nullif(current_setting('kstar.statement_month'), '')::date
WHERE training = $1;
