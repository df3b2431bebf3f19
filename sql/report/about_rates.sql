-- Sheet "About": exchange rates of the month's invoices, node rates, overhead rates and
-- interruption rates. Salaries for engineering time are never shown. A cost centre's own workbook
-- has no node or overhead rates, because their carriers are other cost centres.
WITH month AS (
    SELECT statement_month, (statement_month + interval '1 month' - interval '1 day')::date AS last_day
    FROM (SELECT current_setting('kstar.statement_month')::date AS statement_month) AS given
)
SELECT kind, name, value, unit, valid_from, valid_to
FROM (SELECT DISTINCT 'exchange rate' AS kind, billing_currency AS name, exchange_rate AS value,
             statement_currency || ' per ' || billing_currency AS unit, rate_date AS valid_from, NULL::date AS valid_to
      FROM statement_invoice JOIN statement USING (statement_month) JOIN month USING (statement_month)
      WHERE rate_date IS NOT NULL
      UNION ALL
      SELECT 'node rate', concat_ws(' ', cluster, nullif(node_type, '')), amount_per_node_hour, currency || ' per node-hour',
             nullif(valid_from, '-infinity'), nullif(valid_to, 'infinity')
      FROM stated_node_rate JOIN month USING (statement_month)
      WHERE valid_from <= last_day AND valid_to > statement_month AND current_setting('kstar.cost_centre') = ''
      UNION ALL
      SELECT 'interruption rate', family || ' ' || capacity, rate_per_node_hour::numeric,
             'per node-hour (' || rate_from || coalesce(': ' || failures || ' in ' || trim_scale(round(node_hours, 1)) || ' node-hours', '')
                 || '), checkpoint ' || checkpoint_hours || ' h, restart ' || restart_hours || ' h', NULL, NULL
      FROM family_interruption JOIN month USING (statement_month)
      WHERE current_setting('kstar.cost_centre') = ''
         OR family IN (SELECT family FROM scope_result)
      UNION ALL
      SELECT 'overhead rate', name, amount_per_hour, currency || ' per hour', nullif(valid_from, '-infinity'),
             nullif(valid_to, 'infinity')
      FROM stated_overhead_rate JOIN month USING (statement_month)
      WHERE valid_from <= last_day AND valid_to > statement_month AND current_setting('kstar.cost_centre') = '') AS rate
ORDER BY kind COLLATE "C", name COLLATE "C", valid_from;
