-- How many rows the sheet "Tidy data" has (tidy.sql).
SELECT (SELECT count(*) FROM statement_row
        WHERE statement_month = current_setting('kstar.statement_month')::date
          AND current_setting('kstar.cost_centre') IN ('', cost_centre))
     + (SELECT count(*) FROM report_job_fact);
