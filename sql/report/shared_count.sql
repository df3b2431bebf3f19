-- Whether there is a sheet "Shared and idle".
SELECT (SELECT count(*) FROM report_pool_part WHERE current_setting('kstar.cost_centre') IN ('', cost_centre))
     + (SELECT count(*) FROM report_pool_seen WHERE current_setting('kstar.cost_centre') IN ('', cost_centre))
     + (SELECT count(*) FROM statement_idle
        WHERE statement_month = current_setting('kstar.statement_month')::date AND current_setting('kstar.cost_centre') = '')
     + (SELECT count(*) FROM statement_price
        WHERE statement_month = current_setting('kstar.statement_month')::date AND cost_centre = ''
          AND current_setting('kstar.cost_centre') = '' AND block = 'unused commitment');
