-- How many rows the sheet "Coordination waste" has.
SELECT count(DISTINCT (family, k))
FROM family_waste
WHERE statement_month = current_setting('kstar.statement_month')::date;
