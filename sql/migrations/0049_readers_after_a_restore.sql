-- Who sees which cost centre hangs on row-level security, and that on whom the views belong to: to a role that does not own the tables. A
-- restore may give them to somebody else (pg_restore --no-owner, or one by whoever may not give them away), and every reader saw everything.
-- So each view asks by itself, too, whoever it belongs to.

-- As 0034 has it, and everything for whoever has the rights of the schema's owner, whatever roles there are on this server; and for whoever
-- may read a view of a database that has no roles: nobody is a reader there.
CREATE OR REPLACE VIEW seen_cost_centre AS
SELECT reader.cost_centre
FROM reader
JOIN pg_roles ON rolname = database_role
WHERE pg_has_role(pg_roles.oid, 'USAGE')
UNION
SELECT '*'
FROM role_set
JOIN pg_roles ON rolname IN (prefix || '_owner', prefix || '_ingest', prefix || '_report')
WHERE pg_has_role(pg_roles.oid, 'USAGE')
UNION
SELECT '*'
FROM pg_namespace
WHERE nspname = 'kstar' AND pg_has_role(nspowner, 'USAGE')
UNION
SELECT '*'
WHERE NOT EXISTS (SELECT prefix FROM role_set); -- with a column: Citus keeps no result that has none

-- Of each view as 0041 has it the rows that are his who asks; what he may see is worked out once for a query.
DO $$
DECLARE
    shown record;
BEGIN
    FOR shown IN
        SELECT relname, rtrim(pg_get_viewdef(oid), ';') AS definition
        FROM pg_class
        WHERE relnamespace = 'kstar_views'::regnamespace AND relkind = 'v' AND relname <> 'report_month' -- its rows are for everybody
        ORDER BY relname
    LOOP
        EXECUTE format('CREATE OR REPLACE VIEW kstar_views.%I WITH (security_barrier) AS %s
                        WHERE ''*'' = ANY (ARRAY(SELECT seen.cost_centre FROM kstar.seen_cost_centre AS seen))
                           OR published.cost_centre = ANY (ARRAY(SELECT seen.cost_centre FROM kstar.seen_cost_centre AS seen))',
                       shown.relname, shown.definition);
    END LOOP;
END
$$;
