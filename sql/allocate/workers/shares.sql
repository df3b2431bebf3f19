-- On several servers, lines are read on the workers that hold them. Each reader has some of the
-- shards of one worker. There are kstar.readers readers, but at least one for each worker. A shard
-- with several placements is read once.
CREATE TEMP TABLE reader_shard ON COMMIT DROP AS
WITH placed AS (
    SELECT DISTINCT ON (shardid) shardid, nodename, nodeport, shard_name(logicalrelid, shardid) AS shard
    FROM pg_dist_shard
    JOIN pg_dist_placement USING (shardid)
    JOIN pg_dist_node USING (groupid)
    WHERE logicalrelid = 'kstar.billing_line'::regclass AND shardstate = 1 AND noderole = 'primary'
    ORDER BY shardid, placementid
), readers AS (
    SELECT greatest(ceil(current_setting('kstar.readers')::numeric / count(DISTINCT (nodename, nodeport))), 1)::integer AS of_worker
    FROM placed
), turned AS (
    SELECT placed.*, row_number() OVER (PARTITION BY nodename, nodeport ORDER BY shardid) % of_worker AS turn
    FROM placed CROSS JOIN readers
)
SELECT shardid, nodename, nodeport, shard, dense_rank() OVER (ORDER BY nodename, nodeport, turn) - 1 AS reader
FROM turned;

-- The reader of each node that jobs may have held, and the time that lines bill.
CREATE TEMP TABLE routed_node ON COMMIT DROP AS
SELECT DISTINCT cluster, node, reader, lines_from, lines_to
FROM node_inventory
JOIN reader_shard ON shardid = get_shard_id_for_distribution_column('kstar.billing_line', node_hash(resource_id))
CROSS JOIN line_span;
