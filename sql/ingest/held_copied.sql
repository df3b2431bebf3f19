-- Why delivery $1 must wait: a file of it with rows is one that counts already under another source. No row: it need not.
SELECT format('its %s is %s of %s, which counts already under source %s: it would be charged twice, and one of the two is enough',
              copy.path, original.path, counting.label, counting.source),
       to_char(load.billing_period, 'YYYY-MM-DD')
FROM delivery AS incoming
JOIN source_file AS copy ON copy.delivery_id = incoming.delivery_id
JOIN source_file AS original ON original.sha256 = copy.sha256
JOIN delivery AS counting ON counting.delivery_id = original.delivery_id AND counting.kind = 'billing' AND counting.source <> incoming.source
JOIN load ON load.delivery_id = counting.delivery_id
JOIN current_load USING (load_id)
WHERE incoming.delivery_id = $1
  AND EXISTS (SELECT FROM load_chunk JOIN chunk USING (chunk_id, billing_period)
              WHERE load_chunk.load_id = load.load_id AND load_chunk.file_id = original.file_id AND row_count > 0)
  AND EXISTS (SELECT FROM load AS taken JOIN load_chunk ON load_chunk.load_id = taken.load_id -- none of a month that was pruned
              WHERE taken.delivery_id = incoming.delivery_id AND load_chunk.file_id = copy.file_id)
ORDER BY load.billing_period, copy.path COLLATE "C", counting.label COLLATE "C", original.path COLLATE "C"
LIMIT 1;
