-- What a migration creates must belong to the owner of the schema (docs/security.md): the session
-- acts as that role, as its members may.
SELECT set_config('role', pg_get_userbyid(nspowner), false)
FROM pg_namespace
WHERE nspname = 'kstar' AND pg_get_userbyid(nspowner) <> current_user;
