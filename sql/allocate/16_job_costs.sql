-- Resources with charge periods of several lengths: hours and, say, a month's licence. A longer one may say the time of shorter ones again.
CREATE TEMP TABLE uneven_resource ON COMMIT DROP AS
SELECT resource_key
FROM slot_total
GROUP BY resource_key
HAVING min(charge_period_end - charge_period_start) < max(charge_period_end - charge_period_start);

ANALYZE uneven_resource;

-- What charge periods of one node tell of it together (design 6: each node-hour once): of one within another the time counts in the other's,
-- which tells its own or all of those within it, whichever is more. The open ones stand in each other, the innermost last.
CREATE OR REPLACE FUNCTION pg_temp.told_once(starts timestamptz[], ends timestamptz[], told numeric[]) RETURNS numeric
LANGUAGE plpgsql IMMUTABLE STRICT AS $$
DECLARE
    charge_period record;
    open_ends     timestamptz[] := ARRAY['infinity'];
    open_told     numeric[] := ARRAY[0];
    open_within   numeric[] := ARRAY[0];
    innermost     integer := 1;
BEGIN
    FOR charge_period IN
        SELECT start_time, end_time, seconds
        FROM unnest(starts || 'infinity'::timestamptz, ends || 'infinity'::timestamptz, told || 0::numeric) AS period (start_time, end_time, seconds)
        ORDER BY start_time, end_time DESC
    LOOP
        WHILE innermost > 1 AND (open_ends[innermost] < charge_period.end_time OR open_ends[innermost] <= charge_period.start_time) LOOP
            innermost := innermost - 1;
            open_within[innermost] := open_within[innermost] + greatest(open_told[innermost + 1], open_within[innermost + 1]);
        END LOOP;
        innermost := innermost + 1;
        open_ends[innermost] := charge_period.end_time;
        open_told[innermost] := charge_period.seconds;
        open_within[innermost] := 0;
    END LOOP;
    RETURN open_within[1];
END
$$;

-- What deadlines and waivers say of each value, as 02_jobs.sql asks other rules.
CREATE TEMP TABLE deadline_match ON COMMIT DROP AS
SELECT match, pattern, value, valid_from, valid_to, deadline_hours
FROM deadline JOIN job_value USING (match)
WHERE value LIKE glob_to_like(pattern);

CREATE TEMP TABLE waiver_match ON COMMIT DROP AS
SELECT match, pattern, value, valid_from, valid_to, reason, approved_by
FROM waiver JOIN job_value USING (match)
WHERE value LIKE glob_to_like(pattern);

ANALYZE deadline_match, waiver_match;

-- Per attempt of the statement: p, what overhead by node-hours costs besides, f and hours (design 5 and 7), from the exact amounts in statement currency.
CREATE TEMP TABLE job_cost ON COMMIT DROP AS
WITH told AS MATERIALIZED (
    -- several SKUs of one node and time (Google) count once: the largest counts; a discount repeats the time of its line, and lines of one
    -- SKU that say no time of their own repeat one another.
    -- Sorted once for all three: there are nearly as many groups as parts, too many to be kept in memory side by side.
    SELECT attempt_id, resource_key, min(charge_period_start) AS told_from, max(charge_period_end) AS told_to,
           coalesce(sum(held_seconds) FILTER (WHERE NOT is_uneven), 0)
           + coalesce(pg_temp.told_once(array_agg(charge_period_start) FILTER (WHERE is_uneven), array_agg(charge_period_end) FILTER (WHERE is_uneven),
                                        array_agg(held_seconds) FILTER (WHERE is_uneven)), 0) AS held_seconds
    FROM (SELECT attempt_id, resource_key, charge_period_start, charge_period_end, max(held_seconds) AS held_seconds,
                 resource_key IN (SELECT resource_key FROM uneven_resource) AS is_uneven
          FROM (SELECT attempt_id, resource_key, charge_period_start, charge_period_end, load_id, sku_id,
                       greatest(sum(held_seconds) FILTER (WHERE tells_time), max(held_seconds) FILTER (WHERE NOT tells_time)) AS held_seconds
                FROM (SELECT attempt_id, classed_line.resource_key, charge_period_start, charge_period_end, load_id, sku_id, held_seconds,
                             rule = 1 OR time_billed(consumed_quantity, consumed_unit_seconds, pricing_quantity, pricing_unit_seconds,
                                                     seconds_between(charge_period_start, charge_period_end)) IS NOT NULL AS tells_time
                      FROM line_part
                      JOIN month USING (statement_month)
                      JOIN classed_line USING (load_id, file_id, line_number, row_in_record)
                      JOIN line_class USING (class_id)
                      WHERE target = 'job' AND line_part.charge_part = 'hardware' AND charge_class IS DISTINCT FROM 'Correction'
                        AND classed_line.billed_cost >= 0 AND classed_line.effective_cost >= 0 AND held_seconds IS NOT NULL
                      ORDER BY attempt_id, resource_key, charge_period_start, charge_period_end, load_id, sku_id) AS sorted
                GROUP BY attempt_id, resource_key, charge_period_start, charge_period_end, load_id, sku_id) AS per_sku
          GROUP BY attempt_id, resource_key, charge_period_start, charge_period_end) AS per_slot
    GROUP BY attempt_id, resource_key
), priced AS (
    -- A service may bill accelerators, cores and memory by the hour: what tells more than a quarter above the instances that there were is
    -- none of their time.
    SELECT attempt_id, sum(CASE WHEN held_seconds > 1.25 * instance_seconds THEN instance_seconds ELSE held_seconds END) AS priced_seconds
    FROM told
    LEFT JOIN managed_attempt USING (attempt_id)
    LEFT JOIN refund USING (attempt_id)
    CROSS JOIN LATERAL (SELECT managed_attempt.node_count
                               * nullif(seconds_between(greatest(start_time, told_from), greatest(least(end_time, told_to), start_time, told_from)), 0)
                               * CASE WHEN run_seconds > 0 THEN 1 - refunded_seconds / run_seconds ELSE 1 END) AS had (instance_seconds)
    GROUP BY attempt_id
), priced_elsewhere AS (
    -- what a correction says of time that the statement has no hours of: they are priced where the line that it corrects stands
    SELECT line_part.attempt_id, sum(line_part.effective_cost * exchange_rate) AS hardware_elsewhere
    FROM line_part
    JOIN month USING (statement_month)
    JOIN invoice_rate ON invoice_rate.invoice_key = line_part.invoice_key
    JOIN classed_line USING (load_id, file_id, line_number, row_in_record)
    JOIN line_class USING (class_id)
    LEFT JOIN told ON told.attempt_id = line_part.attempt_id AND told.resource_key = classed_line.resource_key
    WHERE target = 'job' AND line_part.charge_part = 'hardware' AND charge_class = 'Correction'
      AND (told_from < charge_period_end AND charge_period_start < told_to) IS NOT TRUE
    GROUP BY line_part.attempt_id
), hardware AS (
    SELECT attempt_id, sum(line_part.effective_cost * exchange_rate) AS hardware,
           -- what part of it was committed its charges say: a discount takes money off a node, and leaves it as committed as it was
           sum(line_part.effective_cost * exchange_rate) FILTER (WHERE classed_line.effective_cost > 0) AS charged_hardware,
           sum(line_part.effective_cost * exchange_rate) FILTER (WHERE classed_line.effective_cost > 0 AND is_committed) AS committed_hardware,
           sum(CASE WHEN is_spot THEN line_part.effective_cost * exchange_rate ELSE 0 END) AS spot_hardware
    FROM line_part
    JOIN month USING (statement_month)
    JOIN invoice_rate ON invoice_rate.invoice_key = line_part.invoice_key
    JOIN classed_line USING (load_id, file_id, line_number, row_in_record)
    JOIN line_class USING (class_id)
    WHERE target = 'job' AND line_part.charge_part = 'hardware'
    GROUP BY attempt_id
), unbilled AS (
    -- node-seconds on nodes that the bill does not name, less what it says of the attempt's own resource, and what their owner bears
    SELECT attempt_id, unbilled_seconds - coalesce(own_seconds, 0) - coalesce(refunded_seconds, 0) AS unbilled_seconds
    FROM (SELECT attempt_id, sum(seconds_within(held) * share) AS unbilled_seconds FROM unbilled_time GROUP BY attempt_id
          UNION ALL -- a managed job's, where no hardware on the bill is its own
          SELECT attempt_id, node_seconds
          FROM attempt_month
          JOIN (SELECT attempt_id FROM managed_attempt) AS managed USING (attempt_id)
          LEFT JOIN hardware USING (attempt_id)
          WHERE hardware.attempt_id IS NULL) AS held
    LEFT JOIN (SELECT attempt_id, sum(held_seconds) AS own_seconds
               FROM line_part JOIN month USING (statement_month)
               WHERE rule = 1 AND charge_part = 'hardware' AND billed_cost >= 0 AND effective_cost >= 0
               GROUP BY attempt_id) AS own USING (attempt_id)
    LEFT JOIN (SELECT attempt_id, sum(refunded_node_seconds) AS refunded_seconds FROM rated_time GROUP BY attempt_id) AS refunded
           USING (attempt_id)
), internal AS (
    -- nodes without a bill: the invoice would not shrink without them
    SELECT attempt_id, internal_hardware, internal_seconds
    FROM (SELECT attempt_id, sum(amount) AS internal_hardware
          FROM statement_row JOIN month USING (statement_month)
          WHERE component = 'hardware_off_bill' AND attempt_id IS NOT NULL
          GROUP BY attempt_id) AS charged
    JOIN (SELECT attempt_id, sum(node_seconds) AS internal_seconds FROM rated_time GROUP BY attempt_id) AS held USING (attempt_id)
), fixed AS (
    SELECT attempt_id, sum(amount) AS fixed
    FROM statement_row JOIN month USING (statement_month)
    WHERE component IN ('fixed_overhead', 'fixed_overhead_off_bill') AND attempt_id IS NOT NULL
    GROUP BY attempt_id
), spread AS (
    -- What pools split by node-hours cost moves with them, and so is part of what one of them costs (docs/mathematics.md, section 3). What is of a
    -- closed month is of hours that its statement has.
    SELECT attempt_id, sum(exact) FILTER (WHERE closed_month IS NULL AND basis = 'node_hours') AS spread_by_node_hours,
           sum(exact) FILTER (WHERE closed_month IS NOT NULL) AS fixed_elsewhere,
           -- what is not spent once the job ends; the rest others would bear
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
    JOIN pg_temp.job_attribute USING (match, value)
    JOIN attempt USING (attempt_id)
    WHERE valid_from <= start_time::date AND start_time::date < valid_to
    ORDER BY attempt_id, deadline_hours, match, pattern
), accepted AS (
    -- what a review accepts of a name and user holds until the first job that a later review accepts of them
    SELECT review_decision.*, job.job_id, job.job_name, job.user_name, job.start_time,
           min(job.start_time) OVER (PARTITION BY job.job_name, job.user_name, CASE WHEN job.job_name || job.user_name IS NULL THEN attempt_id END
                                     ORDER BY review_month DESC GROUPS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING) AS decided_anew
    FROM review_decision
    JOIN job USING (attempt_id)
    WHERE accept_until IS NOT NULL
), waived AS (
    SELECT attempt_id, reason, approved_by, valid_from, valid_to, match, pattern
    FROM waiver_match
    JOIN pg_temp.job_attribute USING (match, value)
    JOIN attempt USING (attempt_id)
    WHERE valid_from <= start_time::date AND start_time::date < valid_to
    UNION ALL -- of a review: the job that was decided on
    SELECT attempt_id, reason, decided_by, review_month, accept_until, declared_in, job_id
    FROM accepted
    WHERE start_time::date < accept_until AND (start_time < decided_anew) IS NOT FALSE
    UNION ALL -- and those of its name and user that follow
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
    SELECT attempt_id FROM statement_row JOIN month USING (statement_month) WHERE attempt_id IS NOT NULL
    UNION -- what the statement before was closed with as running: here it says what came of it, whenever that was
    SELECT attempt_id
    FROM job_result
    WHERE provisional AND statement_month = (SELECT max(statement.statement_month)
                                             FROM statement JOIN month ON statement.statement_month < month.statement_month)
      AND statement_month IN (SELECT statement_month FROM closed_month)
)
SELECT attempt_id, attempt_size.family, k, attempt.outcome, attempt.provisional, attempt_cost_centre.cost_centre,
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
            THEN 'spot' ELSE 'on demand' END             AS capacity, -- what most of its hardware was
       coalesce(fixed, 0)                                AS fixed,
       0::numeric                                        AS spent_before, -- by the components before it
       priced_hardware, priced_in_all                    AS priced_seconds,
       priced_hardware * 3600 / priced_in_all            AS price_per_node_hour,
       -- a node of which it had a part cost it that part: p K is what it paid in an hour
       attempt.node_count, whole_nodes, nodes_per_k,
       priced_hardware * 3600 / priced_in_all * whole_nodes / nullif(k_of_component, 0) AS price_per_k_hour,
       fixed_by_node_hours, fixed_by_wall_hours,
       overhead_per_node_hour, overhead_per_node_hour * nodes_per_k AS overhead_per_k_hour,
       coalesce(fixed_by_wall_hours * 3600 / nullif(wall_seconds, 0), 0) AS fixed_per_wall_hour,
       coalesce(family_of_month.waiting_cost_per_hour, month.waiting_cost_per_hour) AS waiting_cost_per_hour,
       coalesce(ending_by_node_hours, 0)                 AS ending_by_node_hours,
       coalesce(ending_by_wall_hours, 0)                 AS ending_by_wall_hours,
       coalesce((spread_by_node_hours - coalesce(ending_by_node_hours, 0)) * 3600 / nullif(node_seconds, 0), 0) * nodes_per_k AS shared_per_k_hour,
       coalesce((fixed_by_wall_hours - coalesce(ending_by_wall_hours, 0)) * 3600 / nullif(wall_seconds, 0), 0) AS shared_per_wall_hour,
       attempt.outcome = 'productive' AND NOT attempt.provisional AS has_finished,
       deadline_hours, waiver, NULL::bigint AS judged_with
FROM stated
JOIN attempt USING (attempt_id)
JOIN attempt_size USING (attempt_id)
CROSS JOIN month
LEFT JOIN attempt_cost_centre USING (attempt_id)
LEFT JOIN (SELECT attempt_id, node_seconds, node_share, shareless_seconds, wall_seconds FROM attempt_month) AS in_month USING (attempt_id)
LEFT JOIN priced USING (attempt_id)
LEFT JOIN unbilled USING (attempt_id)
LEFT JOIN hardware USING (attempt_id)
LEFT JOIN internal USING (attempt_id)
LEFT JOIN priced_elsewhere USING (attempt_id)
CROSS JOIN LATERAL (SELECT coalesce(hardware, 0) - coalesce(hardware_elsewhere, 0) + coalesce(internal_hardware, 0),
                           nullif(coalesce(priced_seconds, 0) + coalesce(internal_seconds, 0), 0)) AS price (priced_hardware, priced_in_all)
LEFT JOIN fixed USING (attempt_id)
LEFT JOIN spread USING (attempt_id)
LEFT JOIN deadline_of USING (attempt_id)
LEFT JOIN waiver_of USING (attempt_id)
LEFT JOIN family_of_month ON family_of_month.family = attempt_size.family
CROSS JOIN LATERAL (SELECT CASE family_of_month.unit WHEN 'accelerators' THEN coalesce(attempt.accelerators, k) ELSE attempt.node_count END)
           AS own_k (k_of_component)
CROSS JOIN LATERAL (SELECT coalesce(node_share, 1) * attempt.node_count) AS held (whole_nodes)
CROSS JOIN LATERAL (SELECT whole_nodes / nullif(k_of_component, 0), coalesce(spread_by_node_hours, 0),
                           coalesce(fixed, 0) - coalesce(spread_by_node_hours, 0) - coalesce(fixed_elsewhere, 0),
                           coalesce(spread_by_node_hours * 3600 / nullif(node_seconds, 0), 0))
           AS overhead (nodes_per_k, fixed_by_node_hours, fixed_by_wall_hours, overhead_per_node_hour);

CREATE UNIQUE INDEX ON job_cost (attempt_id);

-- What the model says of each attempt; it is copied in next.
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
    excess_low      double precision, -- of a flag: the 95 % interval of its excess, as shares of what the job cost
    excess_high     double precision
) ON COMMIT DROP;
