-- Sheet "Back-test": the months held back.
SELECT month, forecast, actual, forecast - actual AS difference
FROM forecast_book, jsonb_to_recordset(content->'back_test') AS back_test_row (
       month date, forecast bigint, actual bigint)
ORDER BY month;
