-- Sheet "Other cost": the commitment, and cost that belongs to the company as a whole.
SELECT ahead, month, centre_no, cost_centre, on_demand_hours, price, committed, used, covered, whole, fixed_overhead,
       engineering_overhead, unused_commitments, contingency, total
FROM forecast_book, jsonb_to_recordset(content->'company') AS company_row (
       ahead integer, month date, centre_no integer, cost_centre text, on_demand_hours double precision,
       price double precision, committed double precision, used double precision, covered double precision,
       whole double precision, fixed_overhead bigint, engineering_overhead bigint, unused_commitments bigint,
       contingency bigint, total bigint)
ORDER BY ahead;
