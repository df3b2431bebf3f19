-- What each role may do (docs/security.md), after roles/own.sql. Both files run again after every
-- migration. Rights are granted anew each time. Statements that lock a table run only if something
-- is missing, so that nobody waits for a lock.
DO $$
DECLARE
    owner_role  text := current_setting('kstar.role_prefix') || '_owner';
    views_role  text := current_setting('kstar.role_prefix') || '_views';
    ingest_role text := current_setting('kstar.role_prefix') || '_ingest';
    report_role text := current_setting('kstar.role_prefix') || '_report';
    reader_role text := current_setting('kstar.role_prefix') || '_reader';
    used        record;
BEGIN
    -- The ingest role writes all tables, with two exceptions: records of what was issued, handed
    -- over or kept, and tables by which the owner changes the schema or removes data.
    EXECUTE format('REVOKE ALL ON ALL TABLES IN SCHEMA kstar FROM PUBLIC, %I, %I, %I, %I', views_role, ingest_role, report_role, reader_role);
    EXECUTE format('GRANT USAGE ON SCHEMA kstar TO %I, %I', ingest_role, report_role);
    EXECUTE format('GRANT SELECT ON ALL TABLES IN SCHEMA kstar TO %I, %I', ingest_role, report_role);
    EXECUTE format('GRANT INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA kstar TO %I', ingest_role);
    EXECUTE format('GRANT USAGE ON ALL SEQUENCES IN SCHEMA kstar TO %I', ingest_role);
    EXECUTE format('REVOKE INSERT, UPDATE, DELETE ON schema_migration, role_set, journal_issue, journal_line, handed_over, forecast,
                    forecast_month, forecast_driver, forecast_range, forecast_kept, pruned_month, pruned_invoice, pruned_load, prune_rewrite,
                    distributed_table FROM %I',
                   ingest_role);
    -- the archive of a closed month stays
    EXECUTE format('REVOKE UPDATE, DELETE ON closed_part FROM %I', ingest_role);
    EXECUTE format('REVOKE ALL ON FUNCTION ensure_billing_partition(date), analyze_as_owner(text) FROM PUBLIC');
    EXECUTE format('GRANT EXECUTE ON FUNCTION ensure_billing_partition(date), analyze_as_owner(text) TO %I', ingest_role);

    -- The report role reads all tables and writes the records of reports. It needs UPDATE of
    -- journal_issue for the lock that admits one issue at a time (report/journal_begin.sql), and
    -- the other UPDATEs for changes of rows.
    EXECUTE format('GRANT INSERT ON journal_issue, journal_line, handed_over, forecast, forecast_month, forecast_driver, forecast_range,
                    forecast_kept, run_ledger, run_stage TO %I', report_role);
    EXECUTE format('GRANT UPDATE ON journal_issue, budget_alert, run_ledger, run_stage TO %I', report_role);

    -- The report role records only its own runs, which deliver workbooks, and changes them only
    -- while they are under way. Monitoring asks how nights ended, so the role must not change that.
    IF NOT EXISTS (SELECT FROM pg_policy WHERE polrelid = 'run_ledger'::regclass AND polname = 'worked_with') THEN
        EXECUTE format('CREATE POLICY worked_with ON run_ledger TO %I USING (true) WITH CHECK (true)', ingest_role);
        EXECUTE format('CREATE POLICY read ON run_ledger FOR SELECT TO %I USING (true)', report_role);
        EXECUTE format('CREATE POLICY begun ON run_ledger FOR INSERT TO %I WITH CHECK (command = ''deliver'' AND outcome = ''running'')', report_role);
        EXECUTE format('CREATE POLICY ended ON run_ledger FOR UPDATE TO %I USING (command = ''deliver'' AND outcome = ''running'')
                        WITH CHECK (command = ''deliver'')', report_role);
        EXECUTE format('CREATE POLICY worked_with ON run_stage TO %I USING (true) WITH CHECK (true)', ingest_role);
        EXECUTE format('CREATE POLICY read ON run_stage FOR SELECT TO %I USING (true)', report_role);
        EXECUTE format('CREATE POLICY noted ON run_stage TO %I
                        USING (run_number IN (SELECT run_ledger.run_number FROM kstar.run_ledger WHERE command = ''deliver''))', report_role);
        ALTER TABLE run_ledger ENABLE ROW LEVEL SECURITY;
        ALTER TABLE run_stage ENABLE ROW LEVEL SECURITY;
    END IF;

    -- Rights on future tables: partitions of new months, and tables of a migration until this file
    -- runs again.
    EXECUTE format('ALTER DEFAULT PRIVILEGES FOR ROLE %I IN SCHEMA kstar GRANT SELECT ON TABLES TO %I, %I', owner_role, ingest_role, report_role);
    EXECUTE format('ALTER DEFAULT PRIVILEGES FOR ROLE %I IN SCHEMA kstar GRANT INSERT, UPDATE, DELETE ON TABLES TO %I', owner_role, ingest_role);
    EXECUTE format('ALTER DEFAULT PRIVILEGES FOR ROLE %I IN SCHEMA kstar GRANT USAGE ON SEQUENCES TO %I', owner_role, ingest_role);

    -- The role of the views reads the tables below them. In a table with a cost centre, row-level
    -- security shows only rows of those that the reader may see. Other tables are joined to such
    -- rows, or belong to nobody (months, components).
    EXECUTE format('GRANT USAGE ON SCHEMA kstar TO %I', views_role);
    EXECUTE format('GRANT SELECT ON seen_cost_centre TO %I', views_role);
    FOR used IN
        SELECT DISTINCT shown.oid, shown.relname, shown.relrowsecurity,
               CASE WHEN shown.relname = 'frozen_reference' THEN 'content ->> ''cost_centre'''
                    WHEN EXISTS (SELECT FROM pg_attribute WHERE attrelid = shown.oid AND attname = 'cost_centre' AND NOT attisdropped)
                        THEN 'cost_centre' END AS whose
        FROM pg_rewrite
        JOIN pg_class AS report_view ON report_view.oid = ev_class AND report_view.relnamespace = 'kstar_views'::regnamespace
        JOIN pg_depend ON classid = 'pg_rewrite'::regclass AND objid = pg_rewrite.oid AND refclassid = 'pg_class'::regclass
        JOIN pg_class AS shown ON shown.oid = refobjid AND shown.relnamespace = 'kstar'::regnamespace
                              AND shown.relname <> 'seen_cost_centre' -- the policies read it
    LOOP
        EXECUTE format('GRANT SELECT ON %I TO %I', used.relname, views_role);
        CONTINUE WHEN used.whose IS NULL;
        IF NOT EXISTS (SELECT FROM pg_policy WHERE polrelid = used.oid AND polname = 'seen') THEN
            EXECUTE format('CREATE POLICY seen ON %I FOR SELECT TO %I USING (
                                EXISTS (SELECT FROM kstar.seen_cost_centre AS seen WHERE seen.cost_centre = ''*'')
                                OR %s = ANY (ARRAY(SELECT seen.cost_centre FROM kstar.seen_cost_centre AS seen)))',
                           used.relname, views_role, used.whose);
            EXECUTE format('CREATE POLICY worked_with ON %I TO %I, %I USING (true) WITH CHECK (true)', used.relname, ingest_role, report_role);
        END IF;
        IF NOT used.relrowsecurity THEN
            EXECUTE format('ALTER TABLE %I ENABLE ROW LEVEL SECURITY', used.relname);
        END IF;
    END LOOP;
    EXECUTE format('GRANT USAGE ON SCHEMA kstar_views TO %I, %I, %I', ingest_role, report_role, reader_role);
    EXECUTE format('GRANT SELECT ON ALL TABLES IN SCHEMA kstar_views TO %I, %I, %I', ingest_role, report_role, reader_role);
    INSERT INTO kstar.role_set (prefix) VALUES (current_setting('kstar.role_prefix')) ON CONFLICT DO NOTHING;
END
$$;
