-- The rate at which jobs of each family are interrupted (docs/mathematics.md, section 3): the
-- declared rate, or node failures ÷ node-hours over a trailing window.
INSERT INTO family_interruption
WITH known_family AS (
    SELECT family FROM measurement WHERE job_id IS NULL OR metric IN ('throughput', 'step_time')
    UNION
    SELECT family FROM family
), in_force AS (
    -- The family's own row, otherwise the row for all families.
    SELECT DISTINCT ON (known_family.family, capacity)
           known_family.family, capacity, interruption.family <> '' AS is_own, rate_per_node_hour, checkpoint_hours, restart_hours
    FROM known_family
    JOIN interruption ON interruption.family IN (known_family.family, '')
    CROSS JOIN month
    WHERE valid_from <= last_day AND last_day < valid_to
    ORDER BY known_family.family, capacity, interruption.family <> '' DESC
), settings AS (
    SELECT failures_from                                                              AS window_from,
           month_end                                                                  AS window_to,
           pg_temp.setting_on('node_failure_minimum', last_day, '10')::integer        AS minimum_failures,
           pg_temp.setting_on('node_failure_prior_per_node_hour', last_day, NULL)::numeric AS prior
    FROM month
), counted AS (
    -- A failing node ends all components of a heterogeneous job: one failure. The row with family
    -- null counts all jobs.
    SELECT attempt.family,
           count(DISTINCT ROW(job.cluster, coalesce(heterogeneous_job_id, attempt_id::text), job.submit_time))
               FILTER (WHERE attempt.state IN ('NODE_FAIL', 'BOOT_FAIL') AND attempt.end_time > window_from
                         AND attempt.end_time <= window_to)                           AS failures,
           sum(attempt.node_count * seconds_between(greatest(attempt.start_time, window_from),
                                                    greatest(least(attempt.end_time, window_to), attempt.start_time, window_from))) / 3600 AS node_hours
    FROM attempt
    JOIN job USING (attempt_id)
    CROSS JOIN settings
    WHERE attempt.start_time < window_to AND attempt.end_time >= window_from
      -- If no rate is to be measured, no attempt is read.
      AND EXISTS (SELECT FROM in_force WHERE rate_per_node_hour = 'measured')
    GROUP BY GROUPING SETS ((attempt.family), ())
    HAVING grouping(attempt.family) = 1 OR attempt.family IS NOT NULL
), rated AS (
    SELECT in_force.*, prior, minimum_failures, rate_per_node_hour = 'measured' AS is_measured,
           coalesce(failures, 0) AS failures, coalesce(node_hours, 0) AS node_hours
    FROM in_force
    CROSS JOIN settings
    LEFT JOIN counted ON counted.family IS NOT DISTINCT FROM CASE WHEN is_own THEN in_force.family END
), unit AS (
    SELECT family, accelerators_per_node
    FROM family_of_month
    WHERE unit = 'accelerators'
)
SELECT statement_month, family, capacity, rate, rate / coalesce(accelerators_per_node, 1),
       CASE
           WHEN NOT is_measured              THEN 'declared'
           WHEN failures >= minimum_failures AND node_hours > 0 THEN 'measured'
           WHEN prior IS NOT NULL            THEN 'prior'
           WHEN node_hours > 0               THEN 'measured, few failures'
           ELSE 'nothing to measure'
       END,
       CASE WHEN is_measured THEN failures END, CASE WHEN is_measured THEN trim_scale(round(node_hours, 6)) END,
       checkpoint_hours, restart_hours
FROM rated
LEFT JOIN unit USING (family)
CROSS JOIN month
CROSS JOIN LATERAL (SELECT CASE
                               WHEN NOT is_measured THEN rate_per_node_hour::numeric
                               WHEN node_hours > 0 AND (failures >= minimum_failures OR prior IS NULL) THEN failures / node_hours
                               ELSE coalesce(prior, 0)
                           END) AS chosen (rate);
