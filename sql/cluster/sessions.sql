-- Who else is connected to this server, and how many.
SELECT count(*), string_agg(DISTINCT coalesce(nullif(application_name, ''), 'unnamed'), ', ')
FROM pg_stat_activity
WHERE backend_type = 'client backend' AND pid <> pg_backend_pid();
