-- Sheet "Other cost": cost without a job, and unallocated cost.
SELECT line_no, ahead, month, centre_no, cost_centre, trend_idle_and_unused, trend_shared_services, trend_direct_cost, trend_tax, trend_credits,
       trend_unallocated, idle_and_unused, shared_services, direct_cost, tax, credits, unallocated, contingency, total
FROM forecast_book, jsonb_to_recordset(content->'others') AS others_row (
       line_no integer, ahead integer, month date, centre_no integer, cost_centre text, trend_idle_and_unused double precision,
       trend_shared_services double precision, trend_direct_cost double precision, trend_tax double precision, trend_credits double precision,
       trend_unallocated double precision, idle_and_unused bigint, shared_services bigint, direct_cost bigint, tax bigint, credits bigint,
       unallocated bigint, contingency bigint, total bigint)
ORDER BY line_no;
