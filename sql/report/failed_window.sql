-- Sheet "Failed runs": the window, and the factor of everything in the workbook.
SELECT to_char(window_from, 'YYYY-MM') || ' to ' || to_char(statement_month, 'YYYY-MM') AS statements, failed_attempts, productive_attempts,
       failed_minor, productive_minor, CASE WHEN productive_minor > 0 THEN round(failed_minor::numeric / productive_minor, 6) END AS measured,
       factor, factor_from
FROM report_failed_factor
WHERE statement_month = current_setting('kstar.statement_month')::date AND family = '*'
  AND cost_centre = coalesce(nullif(current_setting('kstar.cost_centre'), ''), '*');
