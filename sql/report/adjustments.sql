-- Sheet "Adjustments": what closed months would say today, against what they said, per source (docs/close.md). A statement
-- row of adjustments adds up those of one cost centre and component; sections: 1 charged, 2 elsewhere, 3 off the bill.
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
SELECT adjustment_row, proof_no, section, to_char(adjusted_month, 'YYYY-MM') AS adjusted_month,
       coalesce(source, 'off the bill') AS source, line_type, cost_centre, title AS component, subject, gl_account,
       frozen_minor, adjusted_minor, replayed_minor, minor_units
FROM numbered
WHERE current_setting('kstar.cost_centre') IN ('', cost_centre)
ORDER BY adjusted_month, adjustment_row, source COLLATE "C";
