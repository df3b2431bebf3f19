-- Sheet "Inputs": planned trainings.
SELECT training_no, training, cost_centre, family, month, ideal_node_hours, given_k, deadline_hours, runs, fees, spot
FROM forecast_book, jsonb_to_recordset(content->'plans') AS plans_row (
       training_no integer, training text, cost_centre text, family text, month date, ideal_node_hours double precision,
       given_k integer, deadline_hours double precision, runs double precision, fees double precision, spot boolean)
ORDER BY training_no;
