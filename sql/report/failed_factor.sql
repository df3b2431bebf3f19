-- Sheet "Failed runs": by cost centre and family. Formulas use centre_no and family_no in place of
-- names.
SELECT dense_rank() OVER (ORDER BY cost_centre COLLATE "C") AS centre_no, dense_rank() OVER (ORDER BY family COLLATE "C") AS family_no,
       cost_centre, family, failed_attempts, productive_attempts, cancelled_attempts, failed_minor, productive_minor, cancelled_minor,
       CASE WHEN productive_minor > 0 THEN round(failed_minor::numeric / productive_minor, 6) END AS measured, factor, factor_from
FROM report_failed_factor
WHERE statement_month = current_setting('kstar.statement_month')::date AND cost_centre <> '*' AND family <> '*'
  AND current_setting('kstar.cost_centre') IN ('', cost_centre)
ORDER BY cost_centre COLLATE "C", family COLLATE "C";
