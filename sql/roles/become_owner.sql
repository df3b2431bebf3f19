-- What a migration makes belongs to whoever the schema belongs to (docs/security.md): a session
-- acts as that role, which a member may.
SELECT set_config('role', pg_get_userbyid(nspowner), false)
FROM pg_namespace
WHERE nspname = 'kstar' AND pg_get_userbyid(nspowner) <> current_user;
