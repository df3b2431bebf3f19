-- The months whose workbooks may be due: open ones, the one closed last, and closed ones of which somebody has been given a
-- preliminary version and no final one. $1: only final ones. $2: where workbooks go, as JSON: destination (null: nobody wants it) by
-- cost_centre (null: every one).
WITH place AS (
    SELECT * FROM json_to_recordset($2::json) AS place (cost_centre text, destination text)
), unfinished AS ( -- what somebody was given last is preliminary, of a cost centre that the closed statement has
    SELECT *
    FROM (SELECT DISTINCT ON (statement_month, cost_centre, destination) *
          FROM handed_over
          ORDER BY statement_month, cost_centre, destination, handing DESC) AS latest
    WHERE status = 'Preliminary'
      AND (EXISTS (SELECT FROM statement_row
                   WHERE (statement_row.statement_month, statement_row.cost_centre) = (latest.statement_month, latest.cost_centre))
           OR EXISTS (SELECT FROM adjustment
                      WHERE (adjustment.statement_month, adjustment.cost_centre) = (latest.statement_month, latest.cost_centre)))
), owed AS ( -- where that still goes, or else, where anybody wants it, to a cost centre that was given no final one elsewhere
    SELECT statement_month
    FROM unfinished
    WHERE EXISTS (SELECT FROM place
                  WHERE place.destination = unfinished.destination AND coalesce(place.cost_centre, unfinished.cost_centre) = unfinished.cost_centre)
       OR NOT EXISTS (SELECT FROM place WHERE place.destination IS NULL AND place.cost_centre = unfinished.cost_centre)
      AND NOT EXISTS (SELECT FROM handed_over AS final
                      WHERE final.status = 'Final'
                        AND (final.statement_month, final.cost_centre) = (unfinished.statement_month, unfinished.cost_centre))
)
SELECT to_char(statement_month, 'YYYY-MM') AS period
FROM statement
WHERE (status = 'Final' OR NOT $1::boolean)
  AND (status = 'Preliminary'
       OR statement_month = (SELECT max(statement_month) FROM statement WHERE status = 'Final')
       OR statement_month IN (SELECT statement_month FROM owed))
ORDER BY statement_month;
