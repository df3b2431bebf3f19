-- Sheet "Projection": what each cost centre and family costs in each month.
SELECT line_no, ahead, month, centre_no, cost_centre, cell_no, family, work, node_hours, price, paid, productive,
       failed_factor, carried_on, not_on_spot, trend_fixed, trend_engineering, whole, useful_compute, coordination_waste,
       unmeasured_hardware, interruptions, failed_runs, cancelled, cloud_fees, fixed_overhead, engineering_overhead,
       unused_commitments, contingency, total
FROM forecast_book, jsonb_to_recordset(content->'lines') AS lines_row (
       line_no integer, ahead integer, month date, centre_no integer, cost_centre text, cell_no integer, family text,
       work double precision, node_hours double precision, price double precision, paid double precision,
       productive double precision, failed_factor double precision, carried_on double precision,
       not_on_spot double precision, trend_fixed double precision,
       trend_engineering double precision, whole double precision, useful_compute bigint,
       coordination_waste bigint, unmeasured_hardware bigint, interruptions bigint, failed_runs bigint, cancelled bigint,
       cloud_fees bigint, fixed_overhead bigint, engineering_overhead bigint, unused_commitments bigint,
       contingency bigint, total bigint)
ORDER BY line_no;
