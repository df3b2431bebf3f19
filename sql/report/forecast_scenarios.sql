-- Sheet "Summary": the scenarios side by side. A row without a month is the sum of all months.
SELECT scenario_no, scenario, ahead, month, is_own, cost, p10, p50, p90, description
FROM forecast_book, jsonb_to_recordset(content->'scenarios') AS scenarios_row (
       scenario_no integer, scenario text, ahead integer, month date, is_own boolean, cost bigint, p10 bigint, p50 bigint, p90 bigint, description text)
ORDER BY month NULLS LAST, scenario_no;
