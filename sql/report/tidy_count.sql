-- How many sheets "Tidy data" needs, at most.
SELECT (SELECT count(*) FROM statement_row
        WHERE statement_month = current_setting('kstar.statement_month')::date
          AND current_setting('kstar.cost_centre') IN ('', cost_centre))
     + (SELECT 3 * count(*) FROM job_result
        WHERE statement_month = current_setting('kstar.statement_month')::date
          AND current_setting('kstar.cost_centre') IN ('', cost_centre));
