-- The readers: where each connects to, and its lines there.
SELECT nodename, nodeport,
       'CREATE TEMP VIEW billing_line AS ' || string_agg('SELECT * FROM ' || shard, ' UNION ALL ' ORDER BY shardid)
FROM reader_shard
GROUP BY reader, nodename, nodeport
ORDER BY reader;
