-- How long attempts held nodes in the month. The readers make charges meanwhile.

-- The time on nodes, with the attempt's share of them (docs/allocation.md, Jobs): a row for each
-- hold and kind of node. If several inventory rows of a node overlap the time, the earliest counts:
-- all rows before it have ended when the time begins. The inventory is not materialized: PostgreSQL
-- would know nothing of its rows then, and sort the time on all nodes.
DO $$
BEGIN
    EXECUTE (SELECT format($sql$
        CREATE TEMP TABLE held_time ON COMMIT DROP AS
        WITH inventory AS NOT MATERIALIZED (
            SELECT cluster, node, accelerators, cpus, node_type, valid_from, valid_to,
                   coalesce(max(valid_to) OVER (PARTITION BY cluster, node ORDER BY valid_from, resource_id
                                                ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING), '-infinity') AS known_before_to
            FROM node_inventory
        ), hold AS MATERIALIZED (
            SELECT row_number() OVER () AS hold_no, attempt_id, job_hold.cluster, nodes, job_hold.accelerators, cpus, bare_cpus,
                   greatest(job_hold.start_time, %1$L) AS held_from, least(coalesce(job_hold.end_time, attempt.end_time), %2$L) AS held_to
            FROM job_hold
            JOIN attempt USING (attempt_id)
            WHERE job_hold.start_time < %2$L AND (job_hold.end_time > %1$L OR job_hold.end_time IS NULL)
        ), of_kind AS (
            SELECT hold_no, accelerators, cpus, node_type, array_agg(held.node) AS nodes
            FROM (SELECT hold_no, cluster, unnest(nodes) AS node, held_from, held_to FROM hold WHERE held_from < held_to) AS held
            LEFT JOIN inventory ON inventory.cluster = held.cluster AND inventory.node = held.node
                               AND valid_from < held_to AND valid_to > held_from AND known_before_to <= held_from
            GROUP BY hold_no, accelerators, cpus, node_type
        )
        SELECT attempt_id, cluster, kind.nodes, held_from, held_to, node_type,
               CASE
                   WHEN kind.accelerators > 0 AND hold.accelerators IS NOT NULL
                       THEN round(least(hold.accelerators, kind.accelerators) / kind.accelerators, 12)
                   WHEN kind.accelerators > 0 AND bare_cpus < coalesce(nullif(kind.cpus, 0), 'Infinity'::numeric)
                       THEN 0
                   WHEN kind.cpus > 0 AND hold.cpus IS NOT NULL
                       THEN round(least(hold.cpus, kind.cpus) / kind.cpus, 12)
                   ELSE 1
               END AS share
        FROM of_kind AS kind
        JOIN hold USING (hold_no)$sql$, month_start, month_end)
             FROM month);
END
$$;

ANALYZE held_time;

-- The same, one row for each node.
CREATE TEMP VIEW node_time AS
SELECT attempt_id, cluster, unnest(nodes) AS node, held_from, held_to, node_type, share
FROM held_time;

-- Node-seconds and wall-clock seconds of the month. They are the weights of pools. A heterogeneous
-- job has one wall-clock time, which is divided over its components by their own.
CREATE TEMP TABLE attempt_month ON COMMIT DROP AS
WITH component_wall AS (
    SELECT attempt_id,
           coalesce(round(own_seconds * 1.000000000000000000000000
                          * seconds_within(range_agg(tstzrange(month_from, month_to)) FILTER (WHERE month_from < month_to) OVER one_job)
                          / nullif(sum(own_seconds) OVER one_job, 0), 12), 0) AS wall_seconds
    FROM job_component
    JOIN attempt USING (attempt_id)
    CROSS JOIN LATERAL (SELECT greatest(seconds_between(month_from, month_to), 0)) AS own (own_seconds)
    WINDOW one_job AS (PARTITION BY whole)
), held AS (
    SELECT attempt_id, sum(seconds * share) AS node_seconds, sum(seconds) AS held_seconds,
           sum(seconds) FILTER (WHERE share = 0) AS shareless_seconds
    FROM (SELECT attempt_id, share, seconds_between(held_from, held_to) * cardinality(nodes) AS seconds FROM held_time) AS held_on
    GROUP BY attempt_id
)
SELECT attempt.*,
       coalesce(node_seconds, managed_attempt.node_count * seconds_between(month_from, month_to), 0) AS node_seconds,
       -- the attempt's average share of a node
       coalesce(node_seconds / nullif(held_seconds, 0), 1) AS node_share,
       -- time on nodes of which it has no share
       coalesce(shareless_seconds, 0)                  AS shareless_seconds,
       coalesce(component_wall.wall_seconds, seconds_between(month_from, month_to)) AS wall_seconds
FROM attempt CROSS JOIN month
LEFT JOIN managed_attempt USING (attempt_id)
LEFT JOIN component_wall USING (attempt_id)
LEFT JOIN held USING (attempt_id)
WHERE attempt.start_time < month_end AND attempt.end_time > month_start;

ANALYZE attempt_month;

-- E(K) of each attempt, from the model. Efficiency enters money, so it is a decimal of 12 places
-- (docs/allocation.md, Components of an attempt).
CREATE TEMP TABLE attempt_efficiency (
    attempt_id      bigint PRIMARY KEY,
    efficiency      numeric(15,12) NOT NULL,
    efficiency_from text NOT NULL,   -- 'job', 'family', 'profiled'
    scaling         text             -- if measured on the job itself: 'strong', 'weak'
) ON COMMIT DROP;
