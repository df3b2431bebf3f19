-- The billing periods of source $1 whose current load came with the delivery under label $2 before delivery $3: what is
-- withdrawn where that has no row at all, and stays as it is where that has rows of other periods. As microseconds since 1970
-- and in words; and whether all that is in it came from files which that delivery has as well: then its lines are of another period now.
SELECT extract(epoch FROM billing_period::timestamptz)::bigint * 1000000, to_char(billing_period, 'YYYY-MM-DD'),
       coalesce((SELECT bool_and(sha256 IN (SELECT sha256 FROM source_file WHERE delivery_id = $3::integer))
                 FROM load_chunk
                 JOIN chunk USING (chunk_id, billing_period)
                 JOIN source_file USING (file_id)
                 WHERE load_chunk.load_id = load.load_id AND chunk.row_count > 0), false)
FROM load
JOIN current_load USING (load_id, source, billing_period)
WHERE delivery_id = (SELECT max(delivery_id) FROM delivery
                     WHERE kind = 'billing' AND source = $1 AND label = $2 AND delivery_id < $3::integer)
ORDER BY 1;
