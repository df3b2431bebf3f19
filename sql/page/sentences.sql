-- What the month cost and what waits for somebody, beside the sentences of report/headline.sql.
WITH cost AS (
    SELECT coalesce(sum(minor_units) FILTER (WHERE statement_month = current_setting('kstar.statement_month')::date), 0) AS true_minor,
           sum(minor_units) FILTER (WHERE statement_month = (current_setting('kstar.statement_month')::date - interval '1 month')::date) AS before_minor
    FROM report_month_cost
    WHERE current_setting('kstar.cost_centre') IN ('', cost_centre)
), unallocated AS (
    SELECT coalesce(sum(minor_units) FILTER (WHERE section = 2), 0) AS open_minor, coalesce(sum(minor_units) FILTER (WHERE section = 7), 0) AS nobodys_minor
    FROM report_line
    WHERE current_setting('kstar.cost_centre') = ''
), waiting AS (
    SELECT string_agg(format(' %s node-hours wait for job records of %s.', round(quantity), subject), '' ORDER BY subject COLLATE "C") AS words
    FROM statement_note
    WHERE statement_month = current_setting('kstar.statement_month')::date AND kind = 'awaiting job records' AND current_setting('kstar.cost_centre') = ''
)
SELECT pg_temp.page_money(true_minor) AS true_cost, to_char(statement_month, 'FMMonth YYYY') AS month_name,
       CASE WHEN before_minor > 0
            THEN format('%s %% %s than in %s', abs(round(100.0 * (true_minor - before_minor) / before_minor, 1)),
                        CASE WHEN true_minor < before_minor THEN 'less' ELSE 'more' END, to_char(statement_month - interval '1 month', 'FMMonth')) END AS change,
       CASE WHEN open_minor <> 0 THEN format(' %s %s of the invoices is unallocated.', statement_currency, pg_temp.page_money(open_minor)) ELSE '' END
           || CASE WHEN nobodys_minor <> 0 THEN format(' %s %s of internal charges is unallocated.', statement_currency, pg_temp.page_money(nobodys_minor))
                   ELSE '' END
           || coalesce(waiting.words, '') AS open,
       to_char(as_of, 'FMDD FMMonth YYYY, HH24:MI') || ' UTC' AS as_of_text
FROM statement
CROSS JOIN cost
CROSS JOIN unallocated
CROSS JOIN waiting
WHERE statement_month = current_setting('kstar.statement_month')::date;
