-- Once a night: the deliveries that another loader than $1 has read, and that are read again
-- (delivery_latest.sql). There are many deliveries, so one query finds all of them.
SELECT set_config('kstar.read_again', coalesce(array_agg(delivery_id), '{}')::text, false)
FROM delivery_to_read_again
WHERE loader <> $1 AND is_of_open_month AND kept_because IS NULL;
