-- Records what load $1 of billing period $2 holds: its rows, the time of its Usage lines, the time
-- of those of a week or less, and up to when a job can meet them (schema/03_deliveries.sql).
UPDATE load
SET jobs_to = load_jobs_to(load_id),
    (row_count, covered_from, covered_to, usage_from, usage_to) = (
        SELECT coalesce(sum(chunk.row_count), 0), min(chunk.covered_from), max(chunk.covered_to), min(chunk.usage_from), max(chunk.usage_to)
        FROM load_chunk
        JOIN chunk USING (chunk_id, billing_period)
        WHERE load_chunk.load_id = $1 AND billing_period = $2::date)
WHERE load_id = $1;
