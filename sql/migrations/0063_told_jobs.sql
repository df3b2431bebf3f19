-- The horizon of a source was the latest time that any record had ever told: one end that was typed 2036, and put right the next night,
-- kept it for ten years, and idle nodes were charged where job records were still to come. It is what the records tell as they stand now.
SELECT set_config('citus.multi_shard_modify_mode', 'sequential', true); -- over several servers: else no function may follow a table

ALTER TABLE job ADD COLUMN covered_to timestamptz; -- the last time that the record tells of (ingest/jobs_time.sql)

-- Of the records that are there, as far as they are kept: how long a run was suspended is not.
UPDATE job
SET covered_to = greatest(submit_time, start_time, end_time,
                          CASE WHEN end_time IS NULL THEN start_time + make_interval(secs => elapsed_seconds) END);

CREATE INDEX job_by_reach ON job (source, covered_to);

-- A run under way was charged up to its source's horizon for ever, also when exports that name every run of their time named it no more.
ALTER TABLE job ADD COLUMN told_to timestamptz;     -- of a run under way: up to when the last such export tells that named it; null: none did
ALTER TABLE job ADD COLUMN followed_at timestamptz; -- and when a later run of its job began, by which it was over

-- Up to when exports tell that name every run of their time (job_format.h, lists_runs), by cluster of the source.
CREATE TABLE job_listing (
    source    text NOT NULL,
    cluster   text NOT NULL,
    listed_to timestamptz NOT NULL,
    PRIMARY KEY (source, cluster)
);

-- Whether exports leave a run under way out. A cluster may come in several files a night, each with some of its runs: what was made within
-- six hours of the last one that named the run says nothing.
CREATE FUNCTION is_left_out(told_to timestamptz, listed_to timestamptz) RETURNS boolean
LANGUAGE sql STABLE PARALLEL SAFE
RETURN coalesce(told_to + interval '6 hours' < listed_to, false);

-- Up to when such a run is charged. Null: to its source's horizon.
CREATE FUNCTION known_to(told_to timestamptz, followed_at timestamptz, listed_to timestamptz) RETURNS timestamptz
LANGUAGE sql STABLE PARALLEL SAFE
RETURN least(followed_at, CASE WHEN is_left_out(told_to, listed_to) THEN told_to END);

-- Runs that are under way on record already: what their source's records told when theirs came, as far as it is kept. They are charged as they
-- were until an export comes that leaves them out.
WITH told AS MATERIALIZED (
    SELECT attempt_id, start_time, end_time, seen_time, max(covered_to) OVER (PARTITION BY source ORDER BY delivery_id) AS told_to
    FROM job
)
UPDATE job
SET told_to = told.told_to
FROM told
WHERE job.attempt_id = told.attempt_id AND told.start_time IS NOT NULL AND told.end_time IS NULL AND told.seen_time IS NULL;

-- As 0060 has it; a fact is also that exports leave a run out. Where they do not, the hash is that of before.
CREATE OR REPLACE FUNCTION facts_of_months(months date[]) RETURNS TABLE (statement_month date, facts text)
LANGUAGE plpgsql STABLE AS $$
#variable_conflict use_column
DECLARE
    span_ends timestamptz[]; -- in order; what starts before the i-th has passed fewer than i of them
BEGIN
    SELECT array_agg(DISTINCT span_to ORDER BY span_to) INTO span_ends
    FROM (SELECT greatest(max(covered_to), (month + interval '1 month')::timestamptz) AS span_to
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
        FROM (SELECT month AS statement_month, greatest(max(covered_to), (month + interval '1 month')::timestamptz) AS span_to
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
