-- Sheet "Summary": the largest changes since the month before, by cost centre and component. No row
-- if that month has no statement in the same currency.
WITH before AS (
    SELECT cost_centre, component.position AS component_no, component.title AS component, sum(minor_units)::bigint AS minor_units
    FROM statement_sum
    JOIN component USING (component)
    JOIN statement USING (statement_month)
    WHERE statement_month = (current_setting('kstar.statement_month')::date - interval '1 month')::date
      AND statement_currency = (SELECT statement_currency FROM statement WHERE statement_month = current_setting('kstar.statement_month')::date)
      AND line_type = 'charge' AND (block = 'invoice' OR is_of_attempts)
      AND current_setting('kstar.cost_centre') IN ('', cost_centre)
    GROUP BY cost_centre, component.position, component.title
), now AS (
    SELECT cost_centre, centre_no, component_no, component, sum(minor_units)::bigint AS minor_units
    FROM report_line
    WHERE section IN (1, 6) AND current_setting('kstar.cost_centre') IN ('', cost_centre)
    GROUP BY cost_centre, centre_no, component_no, component
), numbered AS (
    SELECT DISTINCT cost_centre, centre_no FROM now
)
SELECT coalesce(now.cost_centre, before.cost_centre) AS cost_centre, coalesce(now.component, before.component) AS component,
       coalesce(now.minor_units, 0) AS this_month, coalesce(before.minor_units, 0) AS last_month,
       coalesce(now.minor_units, 0) - coalesce(before.minor_units, 0) AS change,
       coalesce(numbered.centre_no, 0) AS centre_no, coalesce(now.component_no, before.component_no) AS component_no
FROM now
FULL JOIN before ON before.cost_centre = now.cost_centre AND before.component_no = now.component_no
LEFT JOIN numbered ON numbered.cost_centre = coalesce(now.cost_centre, before.cost_centre)
WHERE EXISTS (SELECT FROM statement
              WHERE statement_month = (current_setting('kstar.statement_month')::date - interval '1 month')::date
                AND statement_currency = (SELECT statement_currency FROM statement
                                          WHERE statement_month = current_setting('kstar.statement_month')::date))
  AND coalesce(now.minor_units, 0) <> coalesce(before.minor_units, 0)
ORDER BY abs(coalesce(now.minor_units, 0) - coalesce(before.minor_units, 0)) DESC, 1, component_no
LIMIT 12;
