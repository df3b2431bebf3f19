-- The sums that sheets and pages are written from are those of their details. $1 is the month.
WITH added AS (
    SELECT sum_id, count(*) AS row_count, sum(billed_cost) AS billed_cost, sum(effective_cost) AS effective_cost, sum(amount) AS amount,
           sum(minor_units) AS minor_units
    FROM statement_detail
    WHERE statement_month = $1::date
    GROUP BY sum_id
), stated AS (
    SELECT sum_id, row_count, billed_cost, effective_cost, amount, minor_units,
           concat_ws(' ', line_type, component, reason, row_key, pool) || ' of ' || coalesce(cost_centre, 'nobody') AS name
    FROM statement_sum
    WHERE statement_month = $1::date
), differing AS (
    SELECT format('%s: %s, in cents %s, its rows have %s and %s', coalesce(name, 'a sum that is missing'), trim_scale(stated.amount), stated.minor_units,
                  trim_scale(added.amount), added.minor_units) AS what
    FROM added FULL JOIN stated USING (sum_id)
    WHERE (added.row_count, added.billed_cost, added.effective_cost, added.amount, added.minor_units)
          IS DISTINCT FROM (stated.row_count, stated.billed_cost, stated.effective_cost, stated.amount, stated.minor_units)
)
SELECT (SELECT count(*) FROM added), count(*), min(what COLLATE "C"), NULL
FROM differing;
