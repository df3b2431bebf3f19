-- The deadlines and waivers that match each value. Each distinct value is matched once, as
-- 05_lines.sql does it for other rules.
CREATE TEMP TABLE deadline_match ON COMMIT DROP AS
SELECT match, pattern, value, valid_from, valid_to, deadline_hours
FROM deadline JOIN (SELECT DISTINCT match, value FROM job_attribute) AS asked USING (match)
WHERE value LIKE glob_to_like(pattern);

CREATE TEMP TABLE waiver_match ON COMMIT DROP AS
SELECT match, pattern, value, valid_from, valid_to, reason, approved_by
FROM waiver JOIN (SELECT DISTINCT match, value FROM job_attribute) AS asked USING (match)
WHERE value LIKE glob_to_like(pattern);

ANALYZE deadline_match, waiver_match;

-- The statement's rows by attempt: minor units by component, and the exact amounts behind the job's
-- price. Sorted, for the reason in allocate/12_charges.sql.
SET LOCAL enable_hashagg = off;
CREATE TEMP TABLE attempt_row ON COMMIT DROP AS
SELECT attempt_id,
       sum(minor_units) FILTER (WHERE component = 'useful_compute')          AS useful_compute,
       sum(minor_units) FILTER (WHERE component = 'coordination_waste')      AS coordination_waste,
       sum(minor_units) FILTER (WHERE component = 'unmeasured_hardware')     AS unmeasured_hardware,
       sum(minor_units) FILTER (WHERE component = 'failed_runs')             AS failed_runs,
       sum(minor_units) FILTER (WHERE component = 'cancelled')               AS cancelled,
       sum(minor_units) FILTER (WHERE component = 'cloud_fees')              AS cloud_fees,
       sum(minor_units) FILTER (WHERE component = 'fixed_overhead')          AS fixed_overhead,
       sum(minor_units) FILTER (WHERE component = 'internal_overhead') AS internal_overhead,
       sum(minor_units) FILTER (WHERE component = 'engineering_overhead')    AS engineering_overhead,
       sum(minor_units)                                                      AS true_cost,
       sum(amount) FILTER (WHERE is_internal)                                AS internal_amount,
       sum(amount) FILTER (WHERE component IN ('fixed_overhead', 'internal_overhead')) AS fixed
FROM statement_detail
JOIN (SELECT statement_month, sum_id, component, block = 'internal' AND internal_charge(component) = 'internal_hardware' AS is_internal
      FROM statement_sum
      WHERE is_of_attempts) AS of_attempts USING (statement_month, sum_id)
WHERE statement_month = (SELECT statement_month FROM month)
GROUP BY attempt_id;

ANALYZE attempt_row;

-- For each attempt on the statement: p, overhead by the node-hour, f and hours (docs/allocation.md,
-- Priced time and p), from exact amounts in statement currency.
CREATE TEMP TABLE job_cost ON COMMIT DROP AS
WITH hardware AS (
    SELECT attempt_id, sum(priced_seconds) AS priced_seconds,
           sum(priced_seconds) FILTER (WHERE rule = 1) AS own_seconds,
           sum(effective_cost * exchange_rate) AS hardware,
           -- Corrections of hours that another statement bills. These hours are priced in that
           -- statement.
           coalesce(sum(effective_cost * exchange_rate) FILTER (WHERE is_of_another_statement), 0) AS hardware_elsewhere,
           -- The committed share is that of lines above 0: a discount lowers the cost of a node,
           -- and does not change which part of the node was committed.
           sum(charged_cost * exchange_rate) AS charged_hardware,
           sum(committed_cost * exchange_rate) AS committed_hardware,
           sum(spot_cost * exchange_rate) AS spot_hardware
    FROM charge
    JOIN month USING (statement_month)
    JOIN invoice_rate USING (invoice_key)
    WHERE target = 'job' AND charge_part = 'hardware'
    GROUP BY attempt_id
), unbilled AS (
    -- Node-seconds on nodes that no bill names, less those that bills have of the attempt's own
    -- resource, and less the refunded ones: the nodes' owner bears these.
    SELECT attempt_id, unbilled_seconds - coalesce(own_seconds, 0) - coalesce(refunded_seconds, 0) AS unbilled_seconds
    FROM (SELECT attempt_id, sum(seconds_within(held) * share) AS unbilled_seconds FROM unbilled_time GROUP BY attempt_id
          UNION ALL -- of a managed job, if no hardware on a bill is its own, refunded or not
          SELECT attempt_id, node_seconds
          FROM attempt_month
          JOIN (SELECT attempt_id FROM managed_attempt) AS managed USING (attempt_id)
          WHERE attempt_id NOT IN (SELECT attempt_id
                                   FROM charge
                                   JOIN month USING (statement_month)
                                   WHERE rule = 1 AND charge_part = 'hardware')
            AND attempt_id NOT IN (SELECT attempt_id
                                   FROM neighbour_bill
                                   JOIN month USING (statement_month)
                                   CROSS JOIN LATERAL (VALUES (neighbour_bill.resource_id), (relative_name(neighbour_bill.resource_id))) AS own (name)
                                   JOIN job ON lower(job.resource_id) = name
                                   JOIN attempt_month USING (attempt_id)
                                   WHERE billed_from < month_to AND billed_to > month_from)) AS held
    LEFT JOIN hardware USING (attempt_id)
    LEFT JOIN (SELECT attempt_id, sum(refunded_node_seconds) AS refunded_seconds FROM rated_time GROUP BY attempt_id) AS refunded
           USING (attempt_id)
), internal AS (
    -- Nodes without a bill. They count as committed: no invoice would be lower without them.
    SELECT attempt_id, internal_amount AS internal_hardware, internal_seconds
    FROM attempt_row
    JOIN (SELECT attempt_id, sum(node_seconds) AS internal_seconds FROM rated_time GROUP BY attempt_id) AS held USING (attempt_id)
    WHERE internal_amount IS NOT NULL
), spread AS (
    -- Overhead that pools split by node-hours follows the node-hours. So it is part of what a
    -- node-hour costs (docs/mathematics.md, section 3). Overhead of a closed month belongs to hours
    -- of the closed statement.
    SELECT attempt_id, sum(exact) FILTER (WHERE closed_month IS NULL AND basis = 'node_hours') AS spread_by_node_hours,
           sum(exact) FILTER (WHERE closed_month IS NOT NULL) AS fixed_elsewhere,
           -- Overhead that ends with the job. Others would bear the rest.
           sum(exact) FILTER (WHERE closed_month IS NULL AND basis = 'node_hours' AND ends_with_job) AS ending_by_node_hours,
           sum(exact) FILTER (WHERE closed_month IS NULL AND basis <> 'node_hours' AND ends_with_job) AS ending_by_wall_hours
    FROM (SELECT attempt_id, closed_month, pool, effective_cost * exchange_rate AS exact
          FROM shared_part
          JOIN month USING (statement_month)
          JOIN invoice_rate USING (invoice_key)
          WHERE target = 'job') AS part
    LEFT JOIN pool_of_month USING (pool)
    GROUP BY attempt_id
), deadline_of AS (
    SELECT DISTINCT ON (attempt_id) attempt_id, deadline_hours
    FROM deadline_match
    JOIN job_attribute USING (match, value)
    JOIN attempt USING (attempt_id)
    WHERE valid_from <= start_time::date AND start_time::date < valid_to
    ORDER BY attempt_id, deadline_hours, match, pattern
), accepted AS (
    -- A review that accepts a job name of a user holds until the first of these jobs that a later
    -- review accepts.
    SELECT decision.*, job.job_id, job.job_name, job.user_name, job.start_time,
           min(job.start_time) OVER (PARTITION BY job.job_name, job.user_name, CASE WHEN job.job_name || job.user_name IS NULL THEN attempt_id END
                                     ORDER BY review_month DESC GROUPS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING) AS decided_anew
    FROM (SELECT DISTINCT ON (attempt_id, review_month) *
          FROM review_decision
          ORDER BY attempt_id, review_month, declared_in COLLATE "C") AS decision
    JOIN kstar.job USING (attempt_id)
    WHERE accept_until IS NOT NULL
), waived AS (
    SELECT attempt_id, reason, approved_by, valid_from, valid_to, match, pattern
    FROM waiver_match
    JOIN job_attribute USING (match, value)
    JOIN attempt USING (attempt_id)
    WHERE valid_from <= start_time::date AND start_time::date < valid_to
    UNION ALL -- from a review: the accepted job
    SELECT attempt_id, reason, decided_by, review_month, accept_until, declared_in, job_id
    FROM accepted
    WHERE start_time::date < accept_until AND (start_time < decided_anew) IS NOT FALSE
    UNION ALL -- and later jobs of the same name and user
    SELECT job.attempt_id, accepted.reason, decided_by, review_month, accept_until, declared_in, accepted.job_id
    FROM accepted
    JOIN job ON job.job_name = accepted.job_name AND job.user_name = accepted.user_name AND job.start_time >= accepted.start_time
    WHERE job.start_time::date < accept_until AND (job.start_time < decided_anew) IS NOT FALSE
), waiver_of AS (
    SELECT DISTINCT ON (attempt_id) attempt_id,
           reason || ' (' || approved_by || CASE WHEN isfinite(valid_to) THEN ', until ' || valid_to ELSE '' END || ')' AS waiver
    FROM waived
    ORDER BY attempt_id, valid_from, match, pattern
), stated AS (
    SELECT attempt_id FROM attempt_month
    UNION
    SELECT attempt_id FROM attempt_row
    UNION
    SELECT attempt_id FROM running_at_close
)
SELECT attempt_id, attempt.family, k, attempt.outcome, attempt.provisional, attempt.cost_centre,
       coalesce(wall_seconds, 0)                         AS wall_seconds,
       coalesce(node_seconds, 0)                         AS node_seconds,
       coalesce(internal_seconds, 0)                     AS internal_node_seconds,
       coalesce(node_seconds, 0) / 3600                  AS node_hours,
       coalesce(wall_seconds, 0) / 3600                  AS wall_hours,
       seconds_between(attempt.start_time, attempt.end_time) / 3600 AS job_hours,
       attempt.suspended_seconds / 3600                  AS suspended_hours,
       greatest(coalesce(unbilled_seconds, 0) - coalesce(internal_seconds, 0), 0) / 3600 AS unpriced_node_hours,
       coalesce(internal_seconds, 0) / 3600              AS internal_node_hours,
       coalesce(shareless_seconds, 0) / 3600             AS shareless_node_hours,
       coalesce(hardware, 0) + coalesce(internal_hardware, 0)           AS hardware,
       coalesce(charged_hardware, 0) + coalesce(internal_hardware, 0)   AS charged_hardware,
       coalesce(committed_hardware, 0) + coalesce(internal_hardware, 0) AS committed_hardware,
       coalesce(spot_hardware, 0)                        AS spot_hardware,
       CASE WHEN 2 * coalesce(spot_hardware, 0) > coalesce(hardware, 0) + coalesce(internal_hardware, 0)
            -- How most of the attempt's hardware was bought.
            THEN 'spot' ELSE 'on demand' END             AS capacity,
       coalesce(fixed, 0)                                AS fixed,
       -- Cost of earlier components of the same job (03_heterogeneous_jobs.sql).
       0::numeric                                        AS spent_before,
       priced_hardware, priced_in_all                    AS priced_seconds,
       price_per_node_hour,
       -- A job with half of a node pays half of the node's price: p K is what an hour cost the job.
       attempt.node_count, whole_nodes, nodes_per_k,
       price_per_node_hour * whole_nodes / nullif(k_of_component, 0) AS price_per_k_hour,
       fixed_by_node_hours, fixed_by_wall_hours,
       overhead_per_node_hour, overhead_per_node_hour * nodes_per_k AS overhead_per_k_hour,
       coalesce(fixed_by_wall_hours * 3600 / nullif(wall_seconds, 0), 0) AS fixed_per_wall_hour,
       coalesce(family_of_month.waiting_cost_per_hour, month.waiting_cost_per_hour) AS waiting_cost_per_hour,
       coalesce(ending_by_node_hours, 0)                 AS ending_by_node_hours,
       coalesce(ending_by_wall_hours, 0)                 AS ending_by_wall_hours,
       coalesce((spread_by_node_hours - coalesce(ending_by_node_hours, 0)) * 3600 / nullif(node_seconds, 0), 0) * nodes_per_k AS shared_per_k_hour,
       coalesce((fixed_by_wall_hours - coalesce(ending_by_wall_hours, 0)) * 3600 / nullif(wall_seconds, 0), 0) AS shared_per_wall_hour,
       attempt.outcome = 'productive' AND NOT attempt.provisional AND NOT attempt.is_resized AS has_finished,
       deadline_hours, waiver, NULL::bigint AS judged_with
FROM stated
JOIN attempt USING (attempt_id)
CROSS JOIN month
LEFT JOIN (SELECT attempt_id, node_seconds, node_share, shareless_seconds, wall_seconds FROM attempt_month) AS in_month USING (attempt_id)
LEFT JOIN unbilled USING (attempt_id)
LEFT JOIN hardware USING (attempt_id)
LEFT JOIN internal USING (attempt_id)
CROSS JOIN LATERAL (SELECT coalesce(hardware, 0) - coalesce(hardware_elsewhere, 0) + coalesce(internal_hardware, 0),
                           nullif(coalesce(priced_seconds, 0) + coalesce(internal_seconds, 0), 0)) AS price (priced_hardware, priced_in_all)
LEFT JOIN (SELECT attempt_id, fixed FROM attempt_row) AS of_rows USING (attempt_id)
LEFT JOIN spread USING (attempt_id)
LEFT JOIN deadline_of USING (attempt_id)
LEFT JOIN waiver_of USING (attempt_id)
LEFT JOIN family_of_month ON family_of_month.family = attempt.family
CROSS JOIN LATERAL (SELECT CASE family_of_month.unit WHEN 'accelerators' THEN coalesce(attempt.accelerators, k) ELSE attempt.node_count END)
           AS own_k (k_of_component)
CROSS JOIN LATERAL (SELECT coalesce(node_share, 1) * attempt.node_count, priced_hardware * 3600 / priced_in_all,
                           coalesce(node_share, 1) * attempt.node_count / nullif(k_of_component, 0), coalesce(spread_by_node_hours, 0),
                           coalesce(fixed, 0) - coalesce(spread_by_node_hours, 0) - coalesce(fixed_elsewhere, 0),
                           coalesce(spread_by_node_hours * 3600 / nullif(node_seconds, 0), 0)
                    OFFSET 0) -- each is worked out once
           AS figure (whole_nodes, price_per_node_hour, nodes_per_k, fixed_by_node_hours, fixed_by_wall_hours, overhead_per_node_hour);

SET LOCAL enable_hashagg TO DEFAULT;

CREATE UNIQUE INDEX ON job_cost (attempt_id);

-- The accelerators ('': unknown) and K of the jobs of this statement and of the two months before.
CREATE TEMP TABLE recent_size ON COMMIT DROP AS
SELECT family, coalesce(accelerator, '') AS accelerator, k, outcome
FROM job_cost
LEFT JOIN attempt_accelerator USING (attempt_id)
UNION
SELECT family, coalesce(accelerator, ''), k, outcome
FROM month
CROSS JOIN generate_series(1, 2) AS back
-- Month by month: a join would read the results of all years.
CROSS JOIN LATERAL (SELECT family, accelerator, k, outcome
                    FROM job_result
                    WHERE job_result.statement_month = (month.statement_month - make_interval(months => back))::date
                    OFFSET 0) AS before;

-- The model's verdict on each attempt. night/month/month_verdicts.c copies the rows in next.
CREATE TEMP TABLE job_verdict (
    attempt_id      bigint PRIMARY KEY,
    k_star          integer,
    k_least_money   integer,
    k_with_waiting  integer,
    k_star_interval text,
    k_fastest       integer,
    verdict         text NOT NULL,
    verdict_reason  text NOT NULL,
    low_confidence  boolean NOT NULL,
    next_measurement text,
    cost_ratio      double precision,
    hours_ratio     double precision,
    deadline_k      integer,
    -- 95 % interval of a flag's excess, as shares of the job's cost
    excess_low      double precision,
    excess_high     double precision,
    -- judged by a series measured in production that no controlled run confirms
    from_production boolean NOT NULL,
    next_k          integer -- the K that next_measurement names
) ON COMMIT DROP;
