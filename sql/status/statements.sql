-- Every month that has a bill or a statement, and whether the present data and rules would give the
-- same statement. $1 is the rules (base/postgres/identity.h). If nothing is left of a month's
-- bills, the month is withdrawn, unless it carries adjustments.
WITH billed AS (
    SELECT DISTINCT load.statement_month FROM load JOIN current_load USING (load_id)
)
SELECT to_char(statement_month, 'YYYY-MM')                            AS "month",
       coalesce(status, 'none')                                       AS "statement",
       to_char(as_of, 'YYYY-MM-DD"T"HH24:MI:SS"Z"')                   AS "as_of",
       run_id                                                         AS "run_id",
       CASE WHEN run_id IS NULL
             AND statement_month NOT IN (SELECT statement_month FROM open_month)
             AND statement_month NOT IN (SELECT adjustment_carrier(adjusted_month) FROM prior_period_difference)
                                                                       THEN 'withdrawn'
            WHEN run_id IS NULL                                        THEN 'to be made'
            WHEN status = 'Final'                                      THEN 'closed'
            WHEN run_id = statement_run_id(statement_month, $1, as_of) THEN 'up to date'
            ELSE 'to be made again'
       END                                                            AS "state"
FROM billed
FULL JOIN statement USING (statement_month)
ORDER BY statement_month;
