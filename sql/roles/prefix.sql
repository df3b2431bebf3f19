-- The prefix of the names of the database's roles: the one asked for ($1), otherwise the one that
-- they were created with, otherwise $2. No row: the database has no roles, and none are asked for.
SELECT set_config('kstar.role_prefix', coalesce($1, prefix, $2), false)
FROM (SELECT (SELECT prefix FROM kstar.role_set) AS prefix) AS recorded
WHERE coalesce($1, prefix, $2) IS NOT NULL;
