-- Nodes without a bill: own hardware, or a cluster that is billed as a service. What their node-hours cost inside the
-- company is a choice of finance: jobs are charged by it off the bill, and the nodes' owner is credited (design 5).

-- node_rates.csv: an amount per node-hour of a cluster's nodes of one type; '': of those that no other row names.
CREATE TABLE node_rate (
    cluster              text NOT NULL,
    node_type            text NOT NULL DEFAULT '',
    amount_per_node_hour numeric NOT NULL CHECK (amount_per_node_hour >= 0),
    currency             text NOT NULL,
    owner                text NOT NULL, -- cost centre: is credited
    valid_from           date NOT NULL DEFAULT '-infinity',
    valid_to             date NOT NULL DEFAULT 'infinity',
    PRIMARY KEY (cluster, node_type, valid_from)
);

-- A choice like any other: frozen with its statement. (Added to what there is, whatever that is by now.)
DO $$
BEGIN
    EXECUTE format('CREATE OR REPLACE FUNCTION choice_tables() RETURNS text[] LANGUAGE sql IMMUTABLE RETURN %L::text[]',
                   choice_tables() || ARRAY['node_rate']);
END
$$;

CREATE VIEW stated_node_rate AS
SELECT statement_month, (jsonb_populate_record(NULL::node_rate, content)).*
FROM frozen_reference
WHERE table_name = 'node_rate'
UNION ALL
SELECT statement_month, choice.*
FROM statement CROSS JOIN node_rate AS choice
WHERE status = 'Preliminary';

INSERT INTO component (component, position, title, on_job, on_bill) VALUES
    ('hardware_off_bill', 17, 'Hardware, off the bill', true, false);

ALTER TABLE job_result
    ADD COLUMN hardware_off_bill_minor bigint NOT NULL DEFAULT 0,          -- part of true cost
    ADD COLUMN internal_node_hours double precision NOT NULL DEFAULT 0;    -- held on nodes without a bill, at an internal rate
COMMENT ON COLUMN job_result.unpriced_node_hours IS 'held on nodes that neither a bill nor an internal rate prices';
COMMENT ON COLUMN job_result.true_cost_minor IS 'the sum of the ten components that stand on a job';

-- Exact length of several spans together, in seconds.
CREATE FUNCTION seconds_within(spans tstzmultirange) RETURNS numeric
LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
RETURN (SELECT coalesce(sum(kstar.seconds_between(lower(span), upper(span))), 0) FROM unnest(spans) AS span);

-- A hash of the facts that the statement of a month is made of: its loads, and up to the end of what those and the month
-- cover the jobs that started, what is known of running ones, and the nodes. Equal facts, equal hash. Where no cluster has
-- an internal rate it is the hash of before: nothing is replayed because of this migration alone.
CREATE OR REPLACE FUNCTION statement_facts(of_month date) RETURNS text
LANGUAGE sql STABLE
RETURN (
    WITH current AS (
        SELECT load.*, delivery.sha256, delivery.rejected_rows
        FROM kstar.load
        JOIN kstar.current_load USING (load_id)
        JOIN kstar.delivery USING (delivery_id)
        WHERE statement_month = of_month
    ), span AS (
        SELECT greatest(max(covered_to), (of_month + interval '1 month')::timestamptz) AS span_to
        FROM current
    ), fact AS (
        SELECT concat_ws(' ', 'load', source, billing_period, sha256, row_count, rejected_rows) AS what FROM current
        UNION ALL
        SELECT concat_ws(' ', 'jobs', count(*),
                         sum(hashtextextended(ROW(attempt_id, job_id, job_name, account, user_name, partition, qos, comment,
                                                  extract(epoch FROM start_time), extract(epoch FROM end_time), state, node_count,
                                                  cpus, accelerators, node_list, resource_id, heterogeneous_job_id,
                                                  source)::text, 0)::numeric))
        FROM kstar.job CROSS JOIN span
        WHERE start_time < span_to
        UNION ALL
        SELECT concat_ws(' ', 'horizon', source, extract(epoch FROM least(horizon, span_to)))
        FROM kstar.job_horizon CROSS JOIN span
        UNION ALL
        SELECT concat_ws(' ', 'nodes', count(*),
                         sum(hashtextextended(ROW(cluster, node, resource_id, accelerators, cpus, idle_pool, valid_from,
                                                  least(valid_to, span_to))::text, 0)::numeric))
        FROM kstar.node_inventory CROSS JOIN span
        WHERE valid_from < span_to
        UNION ALL -- the type of a node says what it costs where it is on no bill
        SELECT concat_ws(' ', 'node types', count(*),
                         sum(hashtextextended(ROW(cluster, node, resource_id, node_type, valid_from)::text, 0)::numeric))
        FROM kstar.node_inventory CROSS JOIN span
        WHERE valid_from < span_to AND cluster IN (SELECT cluster FROM kstar.node_rate)
        HAVING count(*) > 0
    )
    SELECT encode(sha256(convert_to(string_agg(what, E'\n' ORDER BY what COLLATE "C"), 'UTF8')), 'hex')
    FROM fact);
