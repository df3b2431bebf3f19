-- The sums that sheets and pages are written from are those of their details. $1 is the month.
WITH added AS (
    SELECT sum_id, count(attempt_id) = count(*) AS is_of_attempts, count(*) AS row_count, sum(billed_cost) AS billed_cost,
           sum(effective_cost) AS effective_cost, sum(amount) AS amount, sum(minor_units) AS minor_units
    FROM statement_detail
    WHERE statement_month = $1::date
    GROUP BY sum_id
), said AS (
    SELECT is_sum, sum_id, format('%s of %s, %s billed, %s effective, %s in all, %s in cents', row_count, CASE WHEN is_of_attempts THEN 'attempts' ELSE 'no attempt' END,
                                  trim_scale(billed_cost), trim_scale(effective_cost), trim_scale(amount), minor_units) AS what
    FROM (SELECT true AS is_sum, sum_id, is_of_attempts, row_count, billed_cost, effective_cost, amount, minor_units
          FROM statement_sum WHERE statement_month = $1::date
          UNION ALL
          SELECT false, * FROM added) AS side
), differing AS (
    SELECT format('%s: %s; its details are %s', CASE WHEN named.sum_id IS NULL THEN 'no sum'
                                                  ELSE concat_ws(' ', line_type, component, reason, row_key, pool, 'of', coalesce(cost_centre, 'nobody')) END,
                  coalesce(stated.what, 'none'), coalesce(detail.what, 'none')) AS what
    FROM (SELECT * FROM said WHERE is_sum) AS stated
    FULL JOIN (SELECT * FROM said WHERE NOT is_sum) AS detail USING (sum_id)
    LEFT JOIN (SELECT * FROM statement_sum WHERE statement_month = $1::date) AS named USING (sum_id)
    WHERE stated.what IS DISTINCT FROM detail.what
)
SELECT (SELECT count(*) FROM added), count(*), min(what COLLATE "C"), NULL
FROM differing;
