-- Sheet "Back-test": what each month cost, and the causes of its change since the month before.
SELECT month, cost, volume, mix, efficiency, price, fees, failures, rest, cost - lag(cost) OVER (ORDER BY month) AS change
FROM forecast_book, jsonb_to_recordset(content->'history') AS history_row (
       month date, cost bigint, volume bigint, mix bigint, efficiency bigint, price bigint, fees bigint, failures bigint,
       rest bigint)
ORDER BY month;
