-- Sheet "Statement", second block: adjustments to closed invoices, by cost centre and component; what no cost centre pays
-- stands there by its subject.
WITH placed AS (
    SELECT adjustment.*, component.position, component.title,
           CASE WHEN source IS NOT NULL AND line_type = 'charge' THEN 1
                WHEN source IS NOT NULL THEN 2
                ELSE 3 END AS section
    FROM adjustment
    LEFT JOIN component USING (component)
    WHERE statement_month = current_setting('kstar.statement_month')::date
), numbered AS (
    SELECT placed.*,
           dense_rank() OVER (ORDER BY section, cost_centre COLLATE "C", position, line_type COLLATE "C", subject COLLATE "C",
                                       gl_account COLLATE "C") AS adjustment_row,
           dense_rank() OVER (ORDER BY adjusted_month, source COLLATE "C") AS proof_no
    FROM placed
)
SELECT adjustment_row, cost_centre, CASE section WHEN 1 THEN (SELECT name FROM cost_centre AS centre
                                                   WHERE centre.cost_centre = numbered.cost_centre
                                                   ORDER BY valid_from DESC LIMIT 1)
                                      ELSE concat_ws(': ', nullif(line_type, 'charge'), nullif(subject, '')) END AS subject,
       title AS component, gl_account, sum(minor_units)::bigint AS minor_units
FROM numbered
WHERE section IN (1, 2) AND current_setting('kstar.cost_centre') IN ('', cost_centre)
GROUP BY adjustment_row, section, cost_centre, line_type, subject, title, gl_account
ORDER BY adjustment_row;
