-- Chunks of dropped loads that delivery $1 has at the same place of the same file, under another
-- billing period. This happens if, for example, the time zone in sources.csv has changed. Their
-- lines reappear for certain, even if their charge periods are read differently now.
CREATE TEMP TABLE chunk_again ON COMMIT DROP AS
WITH delivered AS (
    SELECT load_id, source, billing_period FROM load WHERE delivery_id = $1::integer
), compared_load AS (
    SELECT 'delivered' AS role, load_id FROM delivered
    UNION ALL
    SELECT 'replaced', current_load.load_id FROM delivered JOIN current_load USING (source, billing_period)
    UNION ALL
    SELECT 'dropped', load_id FROM dropped_load
), place AS (
    SELECT role, load_id, file_id, sha256, first_line, billing_period, row_count
    FROM compared_load
    JOIN load_chunk USING (load_id)
    JOIN chunk USING (chunk_id, billing_period)
    JOIN source_file USING (file_id)
    WHERE row_count > 0
), again AS (
    SELECT sha256, first_line, array_agg(DISTINCT billing_period) FILTER (WHERE role = 'delivered') AS reappears_in
    FROM place
    GROUP BY sha256, first_line
    HAVING coalesce(sum(row_count) FILTER (WHERE role = 'delivered'), 0) - coalesce(sum(row_count) FILTER (WHERE role = 'replaced'), 0)
           >= sum(row_count) FILTER (WHERE role = 'dropped')
)
SELECT load_id, file_id, first_line, reappears_in
FROM again
JOIN place USING (sha256, first_line)
WHERE role = 'dropped';
