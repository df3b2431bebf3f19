-- Whether there is a sheet "Discounts".
SELECT count(*)
FROM statement_price
WHERE statement_month = current_setting('kstar.statement_month')::date AND cost_centre = current_setting('kstar.cost_centre');
