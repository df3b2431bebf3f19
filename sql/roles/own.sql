-- Gives everything its owner, after `SELECT set_config('kstar.role_prefix', 'kstar', false)`. The
-- owner gets the tables. The views get a role that does not own the tables: row-level security does
-- not hold for an owner. What has the right owner is not changed.
DO $$
DECLARE
    owner_role text := current_setting('kstar.role_prefix') || '_owner';
    views_role text := current_setting('kstar.role_prefix') || '_views';
    wanted     text;
BEGIN
    FOR wanted IN
        SELECT format('ALTER SCHEMA %I OWNER TO %I', nspname, owner_role)
        FROM pg_namespace
        WHERE nspname IN ('kstar', 'kstar_views') AND pg_get_userbyid(nspowner) <> owner_role
    LOOP
        EXECUTE wanted;
    END LOOP;
    EXECUTE format('GRANT USAGE, CREATE ON SCHEMA kstar_views TO %I', views_role);
    FOR wanted IN
        SELECT format('ALTER %s %I.%I OWNER TO %I', CASE relkind WHEN 'v' THEN 'VIEW' WHEN 'S' THEN 'SEQUENCE' ELSE 'TABLE' END, nspname, relname, held_by)
        FROM pg_class
        JOIN pg_namespace ON pg_namespace.oid = relnamespace
        CROSS JOIN LATERAL (SELECT CASE nspname WHEN 'kstar_views' THEN views_role ELSE owner_role END) AS right_one (held_by)
        WHERE nspname IN ('kstar', 'kstar_views') AND relkind IN ('r', 'p', 'v', 'S') AND pg_get_userbyid(relowner) <> held_by
          -- a sequence of an identity column goes with its table
          AND NOT EXISTS (SELECT FROM pg_depend
                          WHERE classid = 'pg_class'::regclass AND objid = pg_class.oid AND deptype = 'i' AND relkind = 'S')
        UNION ALL
        SELECT format('ALTER ROUTINE kstar.%I(%s) OWNER TO %I', proname, pg_get_function_identity_arguments(oid), owner_role)
        FROM pg_proc
        WHERE pronamespace = 'kstar'::regnamespace AND pg_get_userbyid(proowner) <> owner_role
    LOOP
        EXECUTE wanted;
    END LOOP;
END
$$;
