-- Sheet "Freed capacity": what committed and owned hardware costs, whatever work the levers leave
-- for it.
SELECT floor_no, ahead, month, centre_no, cost_centre, provider, sku, committed, carried_on, floor, remaining, whole, freed_capacity,
       contingency, total
FROM forecast_book, jsonb_to_recordset(content->'floors') AS floors_row (
       floor_no integer, ahead integer, month date, centre_no integer, cost_centre text, provider text, sku text,
       committed double precision, carried_on double precision, floor double precision, remaining double precision,
       whole double precision, freed_capacity bigint, contingency bigint, total bigint)
ORDER BY ahead, floor_no;
