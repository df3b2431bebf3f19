-- Names the forecast, and gives the as-of of the last statement in its history.
SELECT head.*, statement.as_of, to_char(first_month, 'FMMonth YYYY') || ' to ' || to_char(last_month, 'FMMonth YYYY') AS month_name,
       to_char(first_month, 'YYYY-MM') || ' to ' || to_char(last_month, 'YYYY-MM') AS period
FROM forecast_book,
     jsonb_to_record(content->'head') AS head (scenario text, description text, forecast_id text, kstar_version text, currency text,
       digits integer, first_month date, last_month date, base_from date, base_to date, seed double precision, draws integer,
       back_test_error double precision, back_test_bias double precision, naive_error double precision)
JOIN statement ON statement_month = base_to;
