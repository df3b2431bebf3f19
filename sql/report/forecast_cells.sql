-- Sheet "Inputs": growth and efficiency by cost centre and family.
SELECT cell_no, cost_centre, family, growth, penalty, cost_centre || '_' || family AS name
FROM forecast_book, jsonb_to_recordset(content->'cells') AS cells_row (
       cell_no integer, cost_centre text, family text, growth double precision, penalty double precision)
ORDER BY cell_no;
