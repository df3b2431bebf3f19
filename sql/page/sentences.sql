-- What the month cost, beside the sentences of report/headline.sql.
SELECT pg_temp.page_money(true_minor) AS true_cost, statement_currency, to_char(statement_month, 'FMMonth YYYY') AS month_name,
       CASE WHEN before_minor > 0
            THEN format('%s %% %s than %s', abs(round(100.0 * (true_minor - before_minor) / before_minor, 1)),
                        CASE WHEN true_minor < before_minor THEN 'less' ELSE 'more' END, to_char(statement_month - interval '1 month', 'FMMonth')) END AS change,
       to_char(as_of, 'FMDD FMMonth YYYY, HH24:MI') || ' UTC' AS as_of_text
FROM statement
CROSS JOIN (SELECT coalesce(sum(minor_units) FILTER (WHERE statement_month = current_setting('kstar.statement_month')::date), 0) AS true_minor,
                   sum(minor_units) FILTER (WHERE statement_month = (current_setting('kstar.statement_month')::date - interval '1 month')::date) AS before_minor
            FROM report_month_cost
            WHERE current_setting('kstar.cost_centre') IN ('', cost_centre)) AS cost
WHERE statement_month = current_setting('kstar.statement_month')::date;
