-- Creates the roles that do not exist yet, after `SELECT set_config('kstar.role_prefix', 'kstar',
-- false)`. The roles are groups: nobody logs in as one of them. Whoever runs this becomes a member
-- of the owner, who gets the tables next (roles/grant.sql).
DO $$
DECLARE
    prefix    text := current_setting('kstar.role_prefix');
    recorded  text;
    role_name text;
    known     pg_roles;
    is_member boolean;
BEGIN
    SELECT role_set.prefix INTO recorded FROM kstar.role_set;
    IF recorded <> prefix THEN
        RAISE EXCEPTION 'the roles of this database begin with "%", not with "%"', recorded, prefix
            USING HINT = format('leave --role-prefix away, or say --role-prefix %s', recorded);
    END IF;
    FOREACH role_name IN ARRAY ARRAY[prefix || '_owner', prefix || '_views', prefix || '_ingest', prefix || '_report', prefix || '_reader'] LOOP
        SELECT * INTO known FROM pg_roles WHERE rolname = role_name;
        IF known IS NULL THEN
            IF NOT (SELECT rolsuper OR rolcreaterole FROM pg_roles WHERE rolname = current_user) THEN
                RAISE EXCEPTION 'there is no role %, and % may not create it', role_name, current_user
                    USING ERRCODE = 'insufficient_privilege',
                          HINT = format('run it once as a role with CREATEROLE that owns the database: ALTER ROLE %I CREATEROLE', current_user);
            END IF;
            EXECUTE format('CREATE ROLE %I NOLOGIN', role_name);
        ELSIF known.rolcanlogin OR known.rolsuper OR known.rolbypassrls OR known.rolcreaterole THEN
            RAISE EXCEPTION 'role % is there already, and no plain group: it may log in, create roles or pass by row-level security', role_name
                USING HINT = 'name kstar''s roles otherwise: --role-prefix NAME';
        END IF;
    END LOOP;
    -- A member by grant, not as a superuser is: views stay under the owner's hands, also in a
    -- session that has become the owner.
    SELECT EXISTS (SELECT FROM pg_auth_members
                   WHERE roleid = to_regrole(quote_ident(prefix || '_views')) AND member = to_regrole(quote_ident(prefix || '_owner')))
    INTO is_member;
    IF NOT is_member THEN
        EXECUTE format('GRANT %I TO %I', prefix || '_views', prefix || '_owner');
    END IF;
    IF NOT pg_has_role(prefix || '_owner', 'USAGE') THEN
        EXECUTE format('GRANT %I TO CURRENT_USER', prefix || '_owner');
    END IF;
    IF (SELECT pg_has_role(datdba, 'USAGE') FROM pg_database WHERE datname = current_database()) THEN
        EXECUTE format('GRANT CONNECT ON DATABASE %I TO %I, %I, %I, %I', current_database(), prefix || '_owner', prefix || '_ingest',
                       prefix || '_report', prefix || '_reader');
        EXECUTE format('GRANT TEMPORARY ON DATABASE %I TO %I, %I, %I', current_database(), prefix || '_owner', prefix || '_ingest',
                       prefix || '_report');
    END IF;
END
$$;
