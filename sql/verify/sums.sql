-- The sums behind sheets and pages are those of their details. $1 is the month.
WITH side AS (
    SELECT true AS is_sum, sum_id, is_of_attempts, row_count, billed_cost, effective_cost, amount, minor_units,
           concat_ws(' ', line_type, component, reason, row_key, pool, 'of', coalesce(cost_centre, 'nobody')) AS name
    FROM statement_sum
    WHERE statement_month = $1::date
    UNION ALL
    SELECT false, sum_id, count(attempt_id) = count(*), count(*), sum(billed_cost), sum(effective_cost), sum(amount), sum(minor_units), NULL
    FROM statement_detail
    WHERE statement_month = $1::date
    GROUP BY sum_id
), shown AS (
    SELECT is_sum, sum_id, name, format('%s %s, %s billed, %s effective, %s in statement currency, %s in cents', row_count,
                                        CASE WHEN is_of_attempts THEN 'amounts of attempts' ELSE 'amounts of no attempt' END,
                                        trim_scale(billed_cost), trim_scale(effective_cost), trim_scale(amount), minor_units) AS figures
    FROM side
), differing AS (
    SELECT format('%s: %s; its details: %s', coalesce(published.name, 'a sum that is missing'), coalesce(published.figures, 'nothing'),
                  coalesce(added.figures, 'none')) AS what
    FROM (SELECT * FROM shown WHERE is_sum) AS published
    FULL JOIN (SELECT * FROM shown WHERE NOT is_sum) AS added USING (sum_id)
    WHERE published.figures IS DISTINCT FROM added.figures
)
SELECT (SELECT count(*) FROM side WHERE NOT is_sum), count(*), min(what COLLATE "C"), NULL
FROM differing;
