-- What is asked of one month is found by its month, however many months there are.
CREATE INDEX shared_part_month ON shared_part (statement_month);
CREATE INDEX job_result_run_group ON job_result USING hash (run_group);

-- As 0011 has it, but month by month: asked for two months, it reads no other.
CREATE OR REPLACE VIEW failed_run_factor AS
WITH summed AS (
    SELECT statement.statement_month, of_month.*
    FROM statement
    CROSS JOIN LATERAL (
        SELECT CASE WHEN grouping(cost_centre) = 1 THEN '*' ELSE cost_centre END AS cost_centre,
               CASE WHEN grouping(family) = 1 THEN '*' ELSE family END           AS family,
               count(DISTINCT attempt_id) FILTER (WHERE outcome = 'failed')      AS failed_attempts,
               count(DISTINCT attempt_id) FILTER (WHERE outcome = 'productive')  AS productive_attempts,
               count(DISTINCT attempt_id) FILTER (WHERE outcome = 'cancelled')   AS cancelled_attempts,
               coalesce(sum(cost_minor) FILTER (WHERE outcome = 'failed'), 0)::bigint     AS failed_minor,
               coalesce(sum(cost_minor) FILTER (WHERE outcome = 'productive'), 0)::bigint AS productive_minor,
               coalesce(sum(cost_minor) FILTER (WHERE outcome = 'cancelled'), 0)::bigint  AS cancelled_minor
        FROM failed_run_attempt
        WHERE failed_run_attempt.statement_month = statement.statement_month
        GROUP BY GROUPING SETS ((cost_centre, family), (cost_centre), (family), ())
        HAVING count(*) > 0) AS of_month
), measured AS (
    SELECT summed.*, "window".window_from, "window".prior,
           round(failed_minor::numeric / nullif(productive_minor, 0), 6)             AS measured_factor,
           failed_attempts + productive_attempts >= "window".minimum_attempts        AS is_enough
    FROM summed
    JOIN failed_run_window AS "window" USING (statement_month)
)
SELECT statement_month, window_from, cost_centre, family, failed_attempts, productive_attempts, cancelled_attempts,
       failed_minor, productive_minor, cancelled_minor, measured_factor,
       CASE WHEN measured_factor IS NOT NULL AND (is_enough OR prior IS NULL) THEN measured_factor ELSE prior END AS factor,
       CASE WHEN measured_factor IS NOT NULL AND is_enough     THEN 'measured'
            WHEN prior IS NOT NULL                             THEN 'prior'
            WHEN measured_factor IS NOT NULL                   THEN 'measured, few attempts'
            ELSE 'nothing productive to compare with' END AS factor_from
FROM measured;
