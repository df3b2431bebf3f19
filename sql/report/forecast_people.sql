-- Sheet "Inputs": people who come and go.
SELECT people_no, cost_centre, people, annual_cost, share, from_month
FROM forecast_book, jsonb_to_recordset(content->'people') AS people_row (
       people_no integer, cost_centre text, people double precision, annual_cost double precision, share double precision,
       from_month date)
ORDER BY people_no;
