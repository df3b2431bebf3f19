-- Sheet "Other cost": people by month.
SELECT ahead, month, centre_no, cost_centre, people_no, whole, engineering_overhead, contingency, total
FROM forecast_book, jsonb_to_recordset(content->'people_months') AS people_months_row (
       ahead integer, month date, centre_no integer, cost_centre text, people_no integer, whole double precision,
       engineering_overhead bigint, contingency bigint, total bigint)
ORDER BY ahead, people_no;
