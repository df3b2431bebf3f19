-- The latest time in the records of delivery $1, and whether they are a snapshot ($2).
UPDATE delivery
SET records_to = (SELECT max(covered_to) FROM delivered_job),
    is_snapshot = $2
WHERE delivery_id = $1;
