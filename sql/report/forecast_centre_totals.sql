-- Sheet "By component": cost centres over all months, dearest first.
SELECT centre_no, cost_centre, sum(useful_compute) AS useful_compute, sum(coordination_waste) AS coordination_waste,
       sum(unmeasured_hardware) AS unmeasured_hardware, sum(interruptions) AS interruptions, sum(failed_runs) AS failed_runs,
       sum(cancelled) AS cancelled, sum(cloud_fees) AS cloud_fees, sum(fixed_overhead) AS fixed_overhead,
       sum(engineering_overhead) AS engineering_overhead, sum(idle_and_unused) AS idle_and_unused, sum(shared_services) AS shared_services, sum(direct_cost) AS direct_cost, sum(tax) AS tax,
       sum(credits) AS credits, sum(unallocated) AS unallocated, sum(unused_commitments) AS unused_commitments, sum(freed_capacity) AS freed_capacity,
       sum(contingency) AS contingency, sum(total) AS total
FROM forecast_book, jsonb_to_recordset(content->'centres') AS centres_row (
       centre_no integer, cost_centre text, useful_compute bigint, coordination_waste bigint, unmeasured_hardware bigint,
       interruptions bigint, failed_runs bigint, cancelled bigint, cloud_fees bigint, fixed_overhead bigint,
       engineering_overhead bigint, idle_and_unused bigint, shared_services bigint, direct_cost bigint, tax bigint, credits bigint, unallocated bigint,
       unused_commitments bigint, freed_capacity bigint, contingency bigint, total bigint)
GROUP BY centre_no, cost_centre
ORDER BY total DESC, centre_no;
