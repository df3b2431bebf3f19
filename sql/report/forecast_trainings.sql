-- Sheet "Trainings": the cost of each planned training on its chosen K.
SELECT training_no, training, centre_no, cost_centre, family, month, ahead, 1 AS in_months, first_size, last_size, k, hours, stretch_at_k,
       efficiency, hardware, failed_factor, interrupted_factor, whole, useful_compute, coordination_waste, interruptions,
       failed_runs, cloud_fees, fixed_overhead, contingency, total
FROM forecast_book, jsonb_to_recordset(content->'plans') AS plans_row (
       training_no integer, training text, centre_no integer, cost_centre text, family text, month date, ahead integer,
       first_size integer, last_size integer, k integer, hours double precision, stretch_at_k double precision,
       efficiency double precision, hardware double precision, failed_factor double precision,
       interrupted_factor double precision, whole double precision, useful_compute bigint, coordination_waste bigint,
       interruptions bigint, failed_runs bigint, cloud_fees bigint, fixed_overhead bigint, contingency bigint, total bigint)
ORDER BY training_no;
