-- Sheet "Training sizes": every K that a planned training could run on.
SELECT training_no, training, k, feasible, measured_hours, stretch, hours, cost, choice
FROM forecast_book, jsonb_to_recordset(content->'sizes') AS sizes_row (
       training_no integer, training text, k integer, feasible boolean, measured_hours double precision,
       stretch double precision, hours double precision, cost double precision, choice double precision)
ORDER BY training_no, k;
