-- One Usage line of a year made every statement one as of the next year, said of its source that its records reach there, and let a month be
-- closed that is not over; and its closed month was replayed whenever a job was told that began within that year, as if the job met the line.
SELECT set_config('citus.multi_shard_modify_mode', 'sequential', true); -- over several servers: else no function may follow a table

-- As 0005 has it, by how far bills reach.
CREATE OR REPLACE FUNCTION statement_as_of(statement_month date) RETURNS timestamptz
LANGUAGE sql STABLE
RETURN coalesce(nullif(current_setting('kstar.as_of', true), '')::timestamptz,
                greatest((SELECT max(reach) FROM kstar.usage_reach), (SELECT max(horizon) FROM kstar.job_horizon)),
                (statement_month + interval '1 month')::timestamptz);

-- As 0035 has it, likewise.
CREATE OR REPLACE VIEW source_expectation AS
WITH reach (kind, source, covered_to) AS (
    SELECT 'billing', source, max(reach) FROM usage_reach GROUP BY source
    UNION ALL
    SELECT 'jobs', source, horizon FROM job_horizon
    UNION ALL
    SELECT 'nodes', source, max(taken_at) FROM node_snapshot GROUP BY source
)
SELECT kind,
       source,
       expected_within_hours,
       came_at,
       came_at + expected_within_hours * interval '1 hour'                                           AS expected_by,
       coalesce(came_at + expected_within_hours * interval '1 hour' < clock_timestamp(), true)       AS is_late
FROM source_configuration
LEFT JOIN reach USING (kind, source)
CROSS JOIN LATERAL (SELECT coalesce(max(settled_at), covered_to) AS came_at
                    FROM run_delivery
                    WHERE run_delivery.kind = source_configuration.kind AND run_delivery.source = source_configuration.source
                      AND outcome = 'done') AS latest
WHERE expected_within_hours IS NOT NULL;

-- The latest end of a load's Usage lines that a job can meet (docs/allocation.md, section 3): those of a resource, or with the tag that names a
-- job. Null: of none. Lines are read where some end days after the month alone: those of a time zone's month end within a day of it.
CREATE FUNCTION load_jobs_to(of_load integer) RETURNS timestamptz
LANGUAGE plpgsql STABLE AS $$
DECLARE
    period    date;
    month_end timestamptz;
    load_end  timestamptz;
    tag_key   text;
BEGIN
    SELECT billing_period, statement_month + interval '1 month' INTO period, month_end
    FROM kstar.load
    WHERE load_id = of_load;
    SELECT max(covered_to) INTO load_end
    FROM kstar.load_chunk
    JOIN kstar.chunk USING (chunk_id, billing_period)
    WHERE load_id = of_load;
    IF load_end IS NULL OR load_end <= month_end + interval '2 days' THEN
        RETURN load_end;
    END IF;
    tag_key := coalesce((SELECT value FROM kstar.setting
                         WHERE parameter = 'job_tag_key' AND valid_from < month_end::date AND valid_to >= month_end::date
                         ORDER BY valid_from DESC LIMIT 1), 'job_id');
    RETURN (
        SELECT max(charge_period_end)
        FROM kstar.load_chunk
        JOIN kstar.billing_line USING (chunk_id, billing_period)
        JOIN kstar.charge_kind USING (charge_kind_key)
        LEFT JOIN kstar.resource USING (resource_key)
        LEFT JOIN kstar.tag_set USING (tag_set_key)
        WHERE load_id = of_load AND billing_period = period
          AND charge_category = 'Usage' AND commitment_discount_status IS DISTINCT FROM 'Unused'
          AND (resource_id IS NOT NULL OR tags ? tag_key)
    );
END
$$;

ALTER TABLE load ADD COLUMN jobs_to timestamptz;

UPDATE load SET jobs_to = load_jobs_to(load_id) WHERE covered_to IS NOT NULL;

-- As 0063 has it; what a job tells is a fact of a month as far as a job can meet its lines. A month whose facts are those of its close, or of its
-- latest replay, stays so: a new version of kstar alone replays nothing.
CREATE TEMPORARY TABLE facts_before ON COMMIT DROP AS
SELECT statement_month, facts FROM facts_of_months(ARRAY(SELECT statement_month FROM closure));

CREATE OR REPLACE FUNCTION facts_of_months(months date[]) RETURNS TABLE (statement_month date, facts text)
LANGUAGE plpgsql STABLE AS $$
#variable_conflict use_column
DECLARE
    span_ends timestamptz[]; -- in order; what starts before the i-th has passed fewer than i of them
BEGIN
    SELECT array_agg(DISTINCT span_to ORDER BY span_to) INTO span_ends
    FROM (SELECT greatest(max(jobs_to), (month + interval '1 month')::timestamptz) AS span_to
          FROM unnest(months) AS month
          LEFT JOIN (kstar.load JOIN kstar.current_load USING (load_id)) ON statement_month = month
          GROUP BY month) AS span;

    RETURN QUERY
    WITH current AS (
        SELECT load.*, delivery.sha256, delivery.rejected_rows
        FROM kstar.load
        JOIN kstar.current_load USING (load_id)
        JOIN kstar.delivery USING (delivery_id)
        WHERE statement_month = ANY (months)
    ), span AS (
        SELECT statement_month, span_to, array_position(span_ends, span_to) AS turn
        FROM (SELECT month AS statement_month, greatest(max(jobs_to), (month + interval '1 month')::timestamptz) AS span_to
              FROM unnest(months) AS month
              LEFT JOIN current ON current.statement_month = month
              GROUP BY month) AS reach
    ), job_tally AS (
        SELECT width_bucket(start_time, span_ends) AS passed, count(*) AS attempts,
               sum(hashtextextended(ROW(attempt_id, job_id, job_name, account, user_name, partition, qos, comment,
                                        extract(epoch FROM start_time), extract(epoch FROM end_time), coalesce(continued_state, state), node_count,
                                        cpus, accelerators, lists_no_accelerators, node_list, resource_id, heterogeneous_job_id,
                                        source, wckey)::text, 0)::numeric) AS hash
        FROM kstar.job
        WHERE start_time < span_ends[cardinality(span_ends)]
        GROUP BY 1
    ), hold_tally AS ( -- what a job held of its nodes where its record as a whole does not say it: pods come and go
        SELECT width_bucket(job_node.start_time, span_ends) AS passed, count(*) AS holds,
               sum(hashtextextended(ROW(attempt_id, node, extract(epoch FROM job_node.start_time), extract(epoch FROM job_node.end_time),
                                        job_node.cpus, job_node.accelerators)::text, 0)::numeric) AS hash
        FROM kstar.job_node
        JOIN kstar.job USING (attempt_id)
        WHERE job_node.start_time < span_ends[cardinality(span_ends)]
          AND (job_node.start_time IS DISTINCT FROM job.start_time OR job_node.end_time IS DISTINCT FROM job.end_time
               OR job_node.cpus IS DISTINCT FROM round(job.cpus / nullif(job.node_count, 0), 6)
               OR job_node.accelerators IS DISTINCT FROM round(job.accelerators / nullif(job.node_count, 0), 6))
        GROUP BY 1
    ), left_out AS ( -- up to when they are charged is not what their record says
        SELECT attempt_id, start_time, known_to(told_to, followed_at, listed_to) AS known_to
        FROM kstar.job
        LEFT JOIN kstar.job_listing USING (source, cluster)
        WHERE start_time IS NOT NULL AND end_time IS NULL AND told_to IS NOT NULL
    ), fact AS (
        SELECT statement_month, concat_ws(' ', 'load', source, billing_period, sha256, row_count, rejected_rows) AS what FROM current
        UNION ALL
        SELECT statement_month, concat_ws(' ', 'jobs', coalesce(sum(attempts), 0), sum(hash))
        FROM span LEFT JOIN job_tally ON passed < turn
        GROUP BY statement_month
        UNION ALL
        SELECT statement_month, concat_ws(' ', 'holds', sum(holds), sum(hash))
        FROM span JOIN hold_tally ON passed < turn
        GROUP BY statement_month
        UNION ALL
        SELECT statement_month, concat_ws(' ', 'left out', count(*), sum(hashtextextended(ROW(attempt_id, extract(epoch FROM known_to))::text, 0)::numeric))
        FROM span JOIN left_out ON start_time < span_to AND known_to < span_to
        GROUP BY statement_month
        UNION ALL
        SELECT statement_month, concat_ws(' ', 'horizon', source, extract(epoch FROM least(horizon, span_to)))
        FROM kstar.job_horizon CROSS JOIN span
        UNION ALL
        SELECT statement_month,
               concat_ws(' ', 'nodes', count(node),
                         sum(hashtextextended(ROW(cluster, node, resource_id, accelerators, cpus, valid_from,
                                                  least(valid_to, span_to))::text, 0)::numeric) FILTER (WHERE node IS NOT NULL))
        FROM span LEFT JOIN kstar.node_inventory ON valid_from < span_to
        GROUP BY statement_month
        UNION ALL -- the type of a node says what it costs where it is on no bill
        SELECT statement_month,
               concat_ws(' ', 'node types', count(*),
                         sum(hashtextextended(ROW(cluster, node, resource_id, node_type, valid_from)::text, 0)::numeric))
        FROM span JOIN kstar.node_inventory ON valid_from < span_to
        WHERE cluster IN (SELECT cluster FROM kstar.node_rate)
        GROUP BY statement_month
    )
    SELECT statement_month, encode(sha256(convert_to(string_agg(what, E'\n' ORDER BY what COLLATE "C"), 'UTF8')), 'hex')
    FROM fact
    GROUP BY statement_month;
END
$$;

UPDATE closure
SET facts_sha256 = now.facts
FROM facts_before
JOIN facts_of_months(ARRAY(SELECT statement_month FROM closure)) AS now USING (statement_month)
WHERE closure.statement_month = facts_before.statement_month AND closure.facts_sha256 = facts_before.facts;

UPDATE replay
SET facts_sha256 = now.facts
FROM facts_before
JOIN facts_of_months(ARRAY(SELECT statement_month FROM replay)) AS now USING (statement_month)
WHERE replay.statement_month = facts_before.statement_month AND replay.facts_sha256 = facts_before.facts;
