-- How many rows the sheet "Tidy data" has (tidy.sql).
SELECT (SELECT count(*) FROM statement_row
        WHERE statement_month = current_setting('kstar.statement_month')::date
          AND current_setting('kstar.cost_centre') IN ('', cost_centre))
     + (SELECT count(*) FILTER (WHERE round(node_hours::numeric, 6) <> 0)
             + count(*) FILTER (WHERE verdict = 'above K*' AND cash_saving_minor <> 0)
             + count(*) FILTER (WHERE verdict = 'above K*' AND freed_capacity_minor <> 0)
        FROM job_result
        WHERE statement_month = current_setting('kstar.statement_month')::date
          AND current_setting('kstar.cost_centre') IN ('', cost_centre));
