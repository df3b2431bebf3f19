-- Whether the month's workbooks show energy: 1, or 0.
SELECT energy_is_stated(current_setting('kstar.statement_month')::date)::integer;
