-- Sheet "Efficiency": hours and efficiency of the measured work on each K.
SELECT curve_no, family, k, hours, efficiency
FROM forecast_book, jsonb_to_recordset(content->'curves') AS curves_row (
       curve_no integer, family text, k integer, hours double precision, efficiency double precision)
ORDER BY curve_no, k;
