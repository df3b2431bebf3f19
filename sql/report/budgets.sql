-- Sheet "Summary": the cost centres with a budget, by the share that they have spent. A cost
-- centre's workbook has its own.
WITH crossed AS (
    SELECT cost_centre, string_agg(measure || ' ' || thresholds, '; ' ORDER BY measure DESC) AS words
    FROM (SELECT cost_centre, measure, string_agg(trim_scale(threshold)::text, ', ' ORDER BY threshold) || ' %' AS thresholds
          FROM budget_crossing(current_setting('kstar.statement_month')::date)
          GROUP BY cost_centre, measure) AS of_measure
    GROUP BY cost_centre
)
SELECT standing.cost_centre, name, budget_minor, spent_minor, budget_minor - spent_minor AS left_minor,
       -- a budget of 0 has no share
       spent_minor::double precision / nullif(budget_minor, 0)    AS spent_share,
       forecast_minor,
       forecast_minor::double precision / nullif(budget_minor, 0) AS forecast_share,
       centre_no, words AS crossed
FROM budget_standing(current_setting('kstar.statement_month')::date) AS standing
LEFT JOIN crossed USING (cost_centre)
LEFT JOIN (SELECT DISTINCT cost_centre, centre_no FROM report_line WHERE section IN (1, 6)) AS centre USING (cost_centre)
WHERE budget_minor IS NOT NULL AND current_setting('kstar.cost_centre') IN ('', cost_centre)
ORDER BY spent_minor::numeric / nullif(budget_minor, 0) DESC NULLS LAST, standing.cost_centre COLLATE "C";
