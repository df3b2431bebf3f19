-- The months whose workbooks may be due, and whether they have a statement: open months, the month
-- closed last, and closed months of which somebody received a preliminary version but no final one.
-- Also months whose workbooks were handed over and that have no statement any more. $1: only final
-- ones. $2: where workbooks go, as JSON: destination (null: nobody wants it) by cost_centre (null:
-- every one). $3: this month alone, or NULL.
WITH place AS (
    SELECT * FROM json_to_recordset($2::json) AS place (cost_centre text, destination text)
), latest AS (
    SELECT DISTINCT ON (statement_month, cost_centre, destination) *
    FROM handed_over
    ORDER BY statement_month, cost_centre, destination, handing DESC
-- places whose last version is preliminary, for a cost centre that the closed statement has
), unfinished AS (
    SELECT *
    FROM latest
    WHERE status = 'Preliminary'
      AND (EXISTS (SELECT FROM statement_sum
                   WHERE (statement_sum.statement_month, statement_sum.cost_centre) = (latest.statement_month, latest.cost_centre))
           OR EXISTS (SELECT FROM adjustment
                      WHERE (adjustment.statement_month, adjustment.cost_centre) = (latest.statement_month, latest.cost_centre)))
-- such a place still gets the workbook; or else somebody wants the workbook elsewhere, and its cost
-- centre has received no final version
), owed AS (
    SELECT statement_month
    FROM unfinished
    WHERE EXISTS (SELECT FROM place
                  WHERE place.destination = unfinished.destination AND coalesce(place.cost_centre, unfinished.cost_centre) = unfinished.cost_centre)
       OR NOT EXISTS (SELECT FROM place WHERE place.destination IS NULL AND place.cost_centre = unfinished.cost_centre)
      AND NOT EXISTS (SELECT FROM handed_over AS final
                      WHERE final.status = 'Final'
                        AND (final.statement_month, final.cost_centre) = (unfinished.statement_month, unfinished.cost_centre))
)
SELECT to_char(statement_month, 'YYYY-MM') AS period, status IS NOT NULL AS is_stated
FROM statement
FULL JOIN (SELECT DISTINCT statement_month FROM latest WHERE status <> 'Withdrawn') AS given USING (statement_month)
WHERE CASE WHEN $3::date IS NOT NULL THEN statement_month = $3::date
           WHEN $1::boolean AND status IS DISTINCT FROM 'Final' THEN false
           ELSE status IS DISTINCT FROM 'Final'
                OR statement_month = (SELECT max(statement_month) FROM statement WHERE status = 'Final')
                OR statement_month IN (SELECT statement_month FROM owed)
      END
ORDER BY statement_month;
