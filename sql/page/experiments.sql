-- What to measure next: the five experiments that can save most on the page's jobs. Families of
-- which only the money at stake is known come last.
SELECT family, CASE WHEN next_k IS NULL THEN next_measurement
                    ELSE format('%s K = %s for %s h', CASE WHEN next_measurement LIKE 'repeat%' THEN 'repeat' ELSE 'measure' END, next_k, trim_scale(hours)) END AS run,
       concat_ws(', ', 'cash ' || pg_temp.page_money(nullif(cash_minor, 0)), 'capacity ' || pg_temp.page_money(nullif(capacity_minor, 0))) AS price,
       pg_temp.page_money(value_minor) AS value, to_char(payback_weeks, 'FM999,999,990.0') AS payback, pg_temp.page_money(stake_minor) AS stake, false AS is_total
FROM report_experiment
WHERE scope = current_setting('kstar.cost_centre') AND place <= 5
ORDER BY place;
