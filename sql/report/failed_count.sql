-- Whether there is a sheet "Failed runs": whether an attempt ended in the window.
SELECT count(*)
FROM report_failed_factor
WHERE statement_month = current_setting('kstar.statement_month')::date AND family = '*'
  AND cost_centre = coalesce(nullif(current_setting('kstar.cost_centre'), ''), '*');
