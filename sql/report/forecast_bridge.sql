-- Sheet "Bridge": from the base to the scenario by lever.
SELECT step_no, label, minor_units, freed
FROM forecast_book, jsonb_to_recordset(content->'bridge') AS bridge_row (
       step_no integer, label text, minor_units bigint, freed bigint)
ORDER BY step_no;
