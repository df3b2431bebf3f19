-- Sheet "Committed hardware": purchases of hardware that is at least partly committed or owned, by
-- month.
SELECT floor_no, ahead, month, cost_centre, family, provider, sku, purchase, commitment, last_month, ends_on, in_force, committed,
       carried_on, remaining, line_no, purchase_no
FROM forecast_book, jsonb_to_recordset(content->'purchases') AS purchases_row (
       floor_no integer, ahead integer, month date, cost_centre text, family text, provider text, sku text, purchase text,
       commitment text, last_month double precision, ends_on date, in_force double precision, committed double precision,
       carried_on double precision, remaining double precision, line_no integer, purchase_no integer)
WHERE floor_no > 0
ORDER BY purchase_no;
