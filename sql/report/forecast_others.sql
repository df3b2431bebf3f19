-- Sheet "Other cost": what stands on no job.
SELECT line_no, ahead, month, centre_no, cost_centre, trend_other, other, contingency, total
FROM forecast_book, jsonb_to_recordset(content->'others') AS others_row (
       line_no integer, ahead integer, month date, centre_no integer, cost_centre text, trend_other double precision,
       other bigint, contingency bigint, total bigint)
ORDER BY line_no;
