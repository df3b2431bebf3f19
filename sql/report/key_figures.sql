-- Sheet "Key figures": the two amounts that each figure divides, in minor units, in this statement
-- and in that of the month before (null: there is none in the same currency).
WITH month AS (
    SELECT statement_month, statement_month = current_setting('kstar.statement_month')::date AS is_this
    FROM statement
    WHERE statement_month IN (current_setting('kstar.statement_month')::date,
                              (current_setting('kstar.statement_month')::date - interval '1 month')::date)
      AND statement_currency = (SELECT statement_currency FROM statement
                                WHERE statement_month = current_setting('kstar.statement_month')::date)
), charged AS (
    SELECT is_this,
           coalesce(sum(minor_units) FILTER (WHERE block = 'invoice' AND line_type = 'charge'), 0)      AS charged,
           coalesce(sum(minor_units) FILTER (WHERE block = 'invoice' AND line_type = 'unallocated'), 0) AS unallocated,
           coalesce(sum(minor_units) FILTER (WHERE line_type = 'charge' AND component = 'useful_compute'), 0)     AS useful,
           coalesce(sum(minor_units) FILTER (WHERE line_type = 'charge' AND component = 'coordination_waste'), 0) AS waste,
           coalesce(sum(minor_units) FILTER (WHERE line_type = 'charge' AND component = 'idle'), 0)               AS idle,
           coalesce(sum(minor_units) FILTER (WHERE block = 'invoice' AND line_type = 'charge'
                                               AND component IN ('useful_compute', 'coordination_waste', 'unmeasured_hardware',
                                                                 'failed_runs', 'cancelled', 'idle')), 0) AS hardware
    FROM month
    JOIN statement_sum USING (statement_month)
    WHERE line_type IN ('charge', 'unallocated') AND current_setting('kstar.cost_centre') IN ('', cost_centre)
    GROUP BY is_this
), priced AS (
    SELECT is_this,
           coalesce(sum(effective_minor) FILTER (WHERE block = 'usage' AND pricing = 'committed' AND commitment <> ''), 0) AS used,
           coalesce(sum(effective_minor) FILTER (WHERE block = 'unused commitment'), 0)               AS unused,
           coalesce(sum(list_minor) FILTER (WHERE block = 'usage' AND pricing = 'committed'), 0)      AS covered,
           coalesce(sum(list_minor) FILTER (WHERE block = 'usage' AND pricing = 'on demand'), 0)      AS on_demand,
           coalesce(sum(effective_minor) FILTER (WHERE block IN ('usage', 'unused commitment')), 0)   AS effective,
           coalesce(sum(list_minor) FILTER (WHERE block IN ('usage', 'unused commitment')), 0)        AS list
    FROM statement_price JOIN month USING (statement_month)
    WHERE cost_centre = current_setting('kstar.cost_centre')
    GROUP BY is_this
), failed AS (
    SELECT is_this, failed_minor, productive_minor
    FROM report_failed_factor JOIN month USING (statement_month)
    WHERE family = '*' AND cost_centre = coalesce(nullif(current_setting('kstar.cost_centre'), ''), '*')
), variance AS ( -- everybody's actual cost includes unallocated cost, also of internal charges
    SELECT is_this, sum(came.minor_units) AS came,
           (SELECT sum(minor_units) FROM statement_forecast
            WHERE statement_forecast.statement_month = month.statement_month AND current_setting('kstar.cost_centre') IN ('', cost_centre)) AS forecast
    FROM month
    LEFT JOIN statement_sum AS came
           ON came.statement_month = month.statement_month
          AND (line_type = 'charge' AND (block = 'invoice' OR is_of_attempts) AND current_setting('kstar.cost_centre') IN ('', cost_centre)
               OR line_type = 'unallocated' AND current_setting('kstar.cost_centre') = '')
    GROUP BY is_this, month.statement_month
), key_figure AS (
    SELECT is_this, figure, over, part, whole
    FROM charged, LATERAL (VALUES (1, 'allocated', charged, charged + unallocated), (5, 'idle', idle, hardware),
                                  (6, 'waste', waste, useful + waste)) AS figure (over, figure, part, whole)
    UNION ALL
    SELECT is_this, figure, over, part, whole
    FROM priced, LATERAL (VALUES (2, 'utilisation', used, used + unused), (3, 'coverage', covered, covered + on_demand),
                                 (4, 'savings', effective, list)) AS figure (over, figure, part, whole)
    UNION ALL
    SELECT is_this, 'failed', 7, failed_minor, productive_minor FROM failed
    UNION ALL
    SELECT is_this, 'variance', 8, coalesce(came, 0), forecast FROM variance
)
SELECT figure, max(part) FILTER (WHERE is_this)::bigint AS part, max(whole) FILTER (WHERE is_this)::bigint AS whole,
       max(part) FILTER (WHERE NOT is_this)::bigint AS part_before, max(whole) FILTER (WHERE NOT is_this)::bigint AS whole_before,
       CASE figure WHEN 'variance'
           THEN (SELECT format('. Scenario %s, which knew the months to %s', scenario, to_char(max(known_to), 'YYYY-MM'))
                 FROM statement_forecast WHERE statement_month = current_setting('kstar.statement_month')::date
                 GROUP BY scenario)
       END AS detail
FROM key_figure
GROUP BY figure, over
ORDER BY over;
