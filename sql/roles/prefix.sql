-- What the names of the database's roles begin with: as asked ($1), else as it was when they were
-- made, else $2. No row: it has none, and none are asked for.
SELECT set_config('kstar.role_prefix', coalesce($1, prefix, $2), false)
FROM (SELECT (SELECT prefix FROM kstar.role_set) AS prefix) AS recorded
WHERE coalesce($1, prefix, $2) IS NOT NULL;
