-- Sheet "By cost centre".
SELECT ahead, month, centre_no, cost_centre, useful_compute, coordination_waste, unmeasured_hardware, interruptions,
       failed_runs, cancelled, cloud_fees, fixed_overhead, engineering_overhead, idle_and_unused, shared_services, direct_cost, tax, credits, unallocated,
       unused_commitments, freed_capacity, contingency,
       total
FROM forecast_book, jsonb_to_recordset(content->'centres') AS centres_row (
       ahead integer, month date, centre_no integer, cost_centre text, useful_compute bigint, coordination_waste bigint,
       unmeasured_hardware bigint, interruptions bigint, failed_runs bigint, cancelled bigint, cloud_fees bigint,
       fixed_overhead bigint, engineering_overhead bigint, idle_and_unused bigint, shared_services bigint, direct_cost bigint, tax bigint, credits bigint, unallocated bigint,
       unused_commitments bigint, freed_capacity bigint, contingency bigint,
       total bigint)
ORDER BY ahead, centre_no;
