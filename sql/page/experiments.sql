-- What to measure next: the five experiments that can save most, of the page's jobs; then families
-- of which only the money at stake is known.
SELECT family, coalesce(format('%s on %s for %s h', CASE WHEN next_measurement LIKE 'repeat%' THEN 'repeat' ELSE 'run' END, next_k, trim_scale(hours)), next_measurement) AS run,
       concat_ws(', ', 'cash ' || pg_temp.page_money(nullif(cash_minor, 0)), 'capacity ' || pg_temp.page_money(nullif(capacity_minor, 0))) AS price,
       pg_temp.page_money(value_minor) AS value, payback_weeks AS payback, pg_temp.page_money(stake_minor) AS stake, false AS is_total
FROM next_experiments(current_setting('kstar.statement_month')::date, current_setting('kstar.cost_centre'))
WITH ORDINALITY AS experiment (family, jobs, node_hours, cost_minor, not_measured, extrapolated, low_confidence, smallest_k, largest_k, next_measurement,
                               next_k, hours, price_minor, cash_minor, capacity_minor, stake_minor, value_minor, weekly_minor, payback_weeks, place)
ORDER BY place
LIMIT 5;
