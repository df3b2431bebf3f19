-- A statement asks for the attempts that overlap what it bills, however many years of them there are.
SELECT set_config('citus.multi_shard_modify_mode', 'sequential', true); -- over several servers: else no function may follow a table

CREATE INDEX job_by_end ON job (end_time);
CREATE INDEX job_by_shown_id ON job USING hash (job_id) WHERE job_id <> job_id_raw;
CREATE INDEX job_by_resource ON job USING hash (lower(resource_id)) WHERE resource_id IS NOT NULL;
CREATE INDEX job_by_heterogeneous_id ON job USING hash (heterogeneous_job_id) WHERE heterogeneous_job_id IS NOT NULL;
CREATE INDEX job_with_accelerators ON job (cluster, start_time) WHERE accelerators > 0;

-- Measurements of jobs are asked for by the job, those of families by the family. By hash: a name from outside may be too long for a B-tree.
CREATE INDEX measurement_of_job ON measurement USING hash (job_id) WHERE job_id IS NOT NULL;
CREATE INDEX measurement_of_family ON measurement USING hash (family) WHERE job_id IS NULL;

-- Records come in the order of time, so that a summary of each stretch of the table does: a B-tree of so many rows would cost each
-- delivery a second.
CREATE INDEX job_node_by_time ON job_node USING brin (start_time, end_time) WITH (autosummarize = on, pages_per_range = 16);

-- The clusters of which a source has delivered records. No record is ever deleted, and its source and cluster are what it is known by.
CREATE TABLE job_cluster (
    source  text NOT NULL,
    cluster text NOT NULL,
    PRIMARY KEY (source, cluster)
);
INSERT INTO job_cluster (source, cluster)
SELECT DISTINCT source, cluster FROM job;

-- What job records tell is a fact of every closed month (facts_of_months). Each night read and hashed the records of all years for it. Now they
-- are added up once, by the hour in which they start, and again where something has changed since.
CREATE TABLE job_tally (
    hour      timestamptz PRIMARY KEY,
    attempts  numeric NOT NULL,
    hash      numeric,          -- of the attempts that start in it; null: none
    holds     numeric NOT NULL,
    hold_hash numeric           -- of what begins in it and is held otherwise than the attempt's record as a whole says
);

-- Whole hours in which something has changed since they were added up. Rows are added and taken away, never changed: a delivery and a night
-- beside it do not wait for each other, and a night takes away what it has seen.
CREATE TABLE job_change (
    span tstzrange NOT NULL
);
INSERT INTO job_change (span) VALUES ('[-infinity, infinity)');

-- The tallies of what begins in a span, by the hour.
CREATE FUNCTION job_tallies(span_from timestamptz, span_to timestamptz) RETURNS SETOF job_tally
LANGUAGE plpgsql STABLE AS $$
BEGIN
    RETURN QUERY
    WITH begun AS (
        SELECT date_trunc('hour', start_time, 'UTC') AS hour, count(*) AS attempts,
               sum(hashtextextended(ROW(attempt_id, job_id, job_name, account, user_name, partition, qos, comment,
                                        extract(epoch FROM start_time), extract(epoch FROM end_time), coalesce(continued_state, state), node_count,
                                        cpus, accelerators, lists_no_accelerators, accelerator_types, node_list, resource_id, heterogeneous_job_id,
                                        source, wckey)::text, 0)::numeric) AS hash
        FROM kstar.job
        WHERE start_time >= span_from AND start_time < span_to
        GROUP BY 1
    ), held AS (
        SELECT date_trunc('hour', job_node.start_time, 'UTC') AS hour, count(*) AS holds,
               sum(hashtextextended(ROW(attempt_id, node, extract(epoch FROM job_node.start_time), extract(epoch FROM job_node.end_time),
                                        job_node.cpus, job_node.accelerators)::text, 0)::numeric) AS hold_hash
        FROM kstar.job_node
        JOIN kstar.job USING (attempt_id)
        WHERE job_node.start_time >= span_from AND job_node.start_time < span_to
          AND (job_node.start_time IS DISTINCT FROM job.start_time OR job_node.end_time IS DISTINCT FROM job.end_time
               OR job_node.cpus IS DISTINCT FROM round(job.cpus / nullif(job.node_count, 0), 6)
               OR job_node.accelerators IS DISTINCT FROM round(job.accelerators / nullif(job.node_count, 0), 6))
        GROUP BY 1
    )
    SELECT coalesce(begun.hour, held.hour), coalesce(attempts, 0)::numeric, hash, coalesce(holds, 0)::numeric, hold_hash
    FROM begun FULL JOIN held ON held.hour = begun.hour;
END
$$;

-- Adds up what has changed in hours of closed months. For a transaction that sees one state of the database throughout (REPEATABLE READ).
CREATE FUNCTION tally_jobs() RETURNS void
LANGUAGE plpgsql AS $$
DECLARE
    closed  constant tstzmultirange := (SELECT tstzmultirange(tstzrange('-infinity', max(statement_month + interval '1 month')::timestamptz))
                                        FROM kstar.closure);
    changed constant tstzmultirange := (SELECT range_agg(span) FROM kstar.job_change);
BEGIN
    IF isempty(changed * closed) IS NOT FALSE OR EXISTS (SELECT FROM kstar.distributed_table WHERE table_name = 'job') THEN
        RETURN;
    END IF;
    DELETE FROM kstar.job_tally WHERE hour <@ (changed * closed);
    INSERT INTO kstar.job_tally
    SELECT tally.*
    FROM unnest(changed * closed) AS span
    CROSS JOIN LATERAL kstar.job_tallies(lower(span), upper(span)) AS tally;
    DELETE FROM kstar.job_change;
    INSERT INTO kstar.job_change (span) SELECT unnest(changed - closed);
END
$$;

-- A hold is compared with its attempt's record, so a record that changes asks for all hours in which its nodes may have been taken.
CREATE FUNCTION note_job_change() RETURNS trigger
LANGUAGE plpgsql AS $$
BEGIN
    INSERT INTO kstar.job_change (span)
    SELECT unnest(range_agg(tstzrange(date_trunc('hour', start_time, 'UTC'),
                                      date_trunc('hour', coalesce(end_time, 'infinity'), 'UTC') + interval '1 hour')))
    FROM changed_row
    WHERE start_time IS NOT NULL;
    RETURN NULL;
END
$$;

CREATE FUNCTION note_job_node_change() RETURNS trigger
LANGUAGE plpgsql AS $$
BEGIN
    INSERT INTO kstar.job_change (span)
    SELECT unnest(range_agg(tstzrange(hour, hour + interval '1 hour')))
    FROM (SELECT DISTINCT date_trunc('hour', start_time, 'UTC') AS hour FROM changed_row) AS touched;
    RETURN NULL;
END
$$;

-- A table on several servers has no triggers: there all hours count as changed for ever.
DO $$
BEGIN
    IF EXISTS (SELECT FROM distributed_table WHERE table_name = 'job') THEN
        RETURN;
    END IF;
    CREATE TRIGGER job_inserted AFTER INSERT ON job REFERENCING NEW TABLE AS changed_row FOR EACH STATEMENT EXECUTE FUNCTION note_job_change();
    CREATE TRIGGER job_updated_from AFTER UPDATE ON job REFERENCING OLD TABLE AS changed_row FOR EACH STATEMENT EXECUTE FUNCTION note_job_change();
    CREATE TRIGGER job_updated AFTER UPDATE ON job REFERENCING NEW TABLE AS changed_row FOR EACH STATEMENT EXECUTE FUNCTION note_job_change();
    CREATE TRIGGER job_deleted AFTER DELETE ON job REFERENCING OLD TABLE AS changed_row FOR EACH STATEMENT EXECUTE FUNCTION note_job_change();
    CREATE TRIGGER job_node_inserted AFTER INSERT ON job_node REFERENCING NEW TABLE AS changed_row
        FOR EACH STATEMENT EXECUTE FUNCTION note_job_node_change();
    CREATE TRIGGER job_node_updated_from AFTER UPDATE ON job_node REFERENCING OLD TABLE AS changed_row
        FOR EACH STATEMENT EXECUTE FUNCTION note_job_node_change();
    CREATE TRIGGER job_node_updated AFTER UPDATE ON job_node REFERENCING NEW TABLE AS changed_row
        FOR EACH STATEMENT EXECUTE FUNCTION note_job_node_change();
    CREATE TRIGGER job_node_deleted AFTER DELETE ON job_node REFERENCING OLD TABLE AS changed_row
        FOR EACH STATEMENT EXECUTE FUNCTION note_job_node_change();
END
$$;

-- As 0087 has it, from the tallies. The hashes are the same.
CREATE OR REPLACE FUNCTION facts_of_months(months date[]) RETURNS TABLE (statement_month date, facts text)
LANGUAGE plpgsql STABLE AS $$
#variable_conflict use_column
DECLARE
    span_hours timestamptz[]; -- the last, perhaps broken, hour of each span, in order; an hour before the i-th has passed fewer than i of them
    changed    tstzmultirange := (SELECT coalesce(range_agg(span), '{}') FROM kstar.job_change);
BEGIN
    SELECT array_agg(DISTINCT date_trunc('hour', span_to, 'UTC') ORDER BY date_trunc('hour', span_to, 'UTC')) INTO span_hours
    FROM (SELECT greatest(max(jobs_to), (month + interval '1 month')::timestamptz) AS span_to
          FROM unnest(months) AS month
          LEFT JOIN (kstar.load JOIN kstar.current_load USING (load_id)) ON statement_month = month
          GROUP BY month) AS span;
    IF span_hours IS NULL THEN
        RETURN;
    END IF;

    RETURN QUERY
    WITH current AS (
        SELECT load.*, delivery.sha256, delivery.rejected_rows
        FROM kstar.load
        JOIN kstar.current_load USING (load_id)
        JOIN kstar.delivery USING (delivery_id)
        WHERE statement_month = ANY (months)
    ), span AS (
        SELECT statement_month, span_to, array_position(span_hours, date_trunc('hour', span_to, 'UTC')) AS turn
        FROM (SELECT month AS statement_month, greatest(max(jobs_to), (month + interval '1 month')::timestamptz) AS span_to
              FROM unnest(months) AS month
              LEFT JOIN current ON current.statement_month = month
              GROUP BY month) AS reach
    ), hour_tally AS (
        SELECT * FROM kstar.job_tally WHERE NOT hour <@ changed
        UNION ALL
        SELECT tally.*
        FROM unnest(changed * tstzmultirange(tstzrange('-infinity', span_hours[cardinality(span_hours)]))) AS span
        CROSS JOIN LATERAL kstar.job_tallies(lower(span), upper(span)) AS tally
    ), passed_tally AS (
        SELECT width_bucket(hour, span_hours) AS passed, sum(attempts) AS attempts, sum(hash) AS hash,
               sum(holds) AS holds, sum(hold_hash) AS hold_hash
        FROM hour_tally
        GROUP BY 1
    ), month_tally AS (
        SELECT statement_month, coalesce(sum(attempts), 0) AS attempts, sum(hash) AS hash,
               coalesce(sum(holds), 0) AS holds, sum(hold_hash) AS hold_hash
        FROM (SELECT statement_month, attempts, hash, holds, hold_hash
              FROM span LEFT JOIN passed_tally ON passed < turn
              UNION ALL
              SELECT statement_month, tally.attempts, tally.hash, tally.holds, tally.hold_hash
              FROM span
              CROSS JOIN LATERAL kstar.job_tallies(date_trunc('hour', span_to, 'UTC'), span_to) AS tally
              WHERE span_to > date_trunc('hour', span_to, 'UTC')) AS part
        GROUP BY statement_month
    ), left_out AS ( -- up to when they are charged is not what their record says
        SELECT attempt_id, start_time, known_to(told_to, followed_at, listed_to) AS known_to
        FROM kstar.job
        LEFT JOIN kstar.job_listing USING (source, cluster)
        WHERE start_time IS NOT NULL AND end_time IS NULL AND told_to IS NOT NULL
    ), fact AS (
        SELECT statement_month, concat_ws(' ', 'load', source, billing_period, sha256, row_count, rejected_rows) AS what FROM current
        UNION ALL
        SELECT statement_month, concat_ws(' ', 'jobs', attempts, hash) FROM month_tally
        UNION ALL
        SELECT statement_month, concat_ws(' ', 'holds', holds, hold_hash) FROM month_tally WHERE holds > 0
        UNION ALL
        SELECT statement_month,
               concat_ws(' ', 'left out', count(*), sum(hashtextextended(ROW(attempt_id, extract(epoch FROM known_to))::text, 0)::numeric))
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

-- As 0053 has it. It added up the rows of all closed months to find those that were replayed: each night, and for each month that is open.
CREATE OR REPLACE VIEW prior_period_difference AS
WITH moved AS (
    SELECT statement_month FROM replay
    UNION
    SELECT adjusted_month FROM adjustment JOIN statement USING (statement_month) WHERE status = 'Final'
), said AS (
    SELECT statement_month AS adjusted_month, source, line_type, cost_centre, component, subject, gl_account,
           minor_units AS frozen_minor, 0 AS adjusted_minor,
           CASE WHEN EXISTS (SELECT FROM replay WHERE replay.statement_month = statement_cell.statement_month)
                THEN 0 ELSE minor_units END AS replayed_minor
    FROM statement_cell
    WHERE statement_month = ANY (ARRAY(SELECT statement_month FROM moved)) -- known before the cells are added up
    UNION ALL
    SELECT statement_month, source, line_type, cost_centre, component, subject, gl_account, 0, 0, minor_units
    FROM replayed_cell
    UNION ALL
    SELECT adjusted_month, source, line_type, cost_centre, component, subject, gl_account, 0, own_minor, 0
    FROM adjustment JOIN statement USING (statement_month)
    WHERE status = 'Final'
)
SELECT adjusted_month, source, line_type, cost_centre, component, subject, gl_account,
       sum(frozen_minor)::bigint                                               AS frozen_minor,
       sum(adjusted_minor)::bigint                                             AS adjusted_minor,
       sum(replayed_minor)::bigint                                             AS replayed_minor,
       sum(replayed_minor - frozen_minor - adjusted_minor)::bigint             AS minor_units
FROM said
GROUP BY adjusted_month, source, line_type, cost_centre, component, subject, gl_account
HAVING sum(replayed_minor - frozen_minor - adjusted_minor) <> 0;
