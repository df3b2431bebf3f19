-- Copies the closed month :'month' to the :months months before it, with all that is published of
-- it, its jobs and the nodes they held: years of history in minutes. The copies have loads without
-- lines, and the facts of a close of today.
SET search_path = kstar;
SET session_replication_role = replica; -- keys are copied in any order
SELECT set_config('plant.month', :'month', false), set_config('plant.months', :'months', false);

DO $$
DECLARE
    month  constant date := current_setting('plant.month')::date;
    target date;
    name   text;
    names  text;
    copied text;
BEGIN
    FOR k IN 1 .. current_setting('plant.months')::integer LOOP
        target := (month - make_interval(months => k))::date;
        FOREACH name IN ARRAY ARRAY[
            'job', 'job_hold', 'job_place', 'delivery', 'load', 'current_load', 'closure', 'closure_load', 'closure_file', 'frozen_reference', 'frozen_idle_pool',
            'frozen_type_pool', 'charge', 'shared_part', 'statement_invoice', 'statement_sum', 'statement_detail', 'job_result', 'family_fit', 'family_interruption',
            'family_curve', 'fit_of_jobs', 'family_rate', 'family_waste', 'statement_note', 'statement_price', 'statement_idle', 'statement_projection', 'finding', 'statement'] LOOP
            SELECT string_agg(quote_ident(column_name), ', '),
                   string_agg(CASE WHEN column_name IN ('statement_month', 'billing_period') AND data_type = 'date'
                                       THEN format('(%I - make_interval(months => %s))::date', column_name, k)
                                   WHEN column_name = 'close_number' THEN format('close_number - %s', k)
                                   WHEN column_name IN ('load_id', 'delivery_id', 'file_id') THEN format('%I + %s', column_name, k * 1000000)
                                   -- a step of its time earlier, 24 days (docs/formats.md)
                                   WHEN column_name IN ('attempt_id', 'judged_with') THEN format('%I - (%s::bigint << 52)', column_name, k)
                                   WHEN column_name = 'sha256' THEN format('encode(sha256((sha256 || %s)::bytea), ''hex'')', k)
                                   WHEN column_name IN ('label', 'path')
                                       THEN format('replace(%I, %L, %L)', column_name, to_char(month, 'YYYY-MM'), to_char(target, 'YYYY-MM'))
                                   WHEN name = 'job' AND column_name IN ('job_id', 'job_id_raw')
                                       THEN format('(%I::bigint - %s)::text', column_name, k * 10000000)
                                   WHEN data_type = 'timestamp with time zone' THEN format('%I - interval ''%s days''', column_name, month - target)
                                   ELSE quote_ident(column_name) END, ', ')
            INTO names, copied
            FROM information_schema.columns
            WHERE table_schema = 'kstar' AND table_name = name AND is_generated = 'NEVER';
            EXECUTE format('INSERT INTO kstar.%1$I (%2$s) OVERRIDING SYSTEM VALUE SELECT %3$s FROM kstar.%1$I %4$s', name, names, copied,
                           CASE WHEN name IN ('job', 'job_hold', 'job_place')
                                    THEN 'WHERE attempt_id IN (SELECT attempt_id FROM kstar.job_place WHERE delivery_id < 1000000)'
                                WHEN name = 'delivery'
                                    THEN format('WHERE delivery_id IN (SELECT delivery_id FROM kstar.load WHERE statement_month = %L)', month)
                                WHEN name = 'current_load' THEN format('WHERE billing_period = %L', month)
                                ELSE format('WHERE statement_month = %L', month) END);
        END LOOP;
        COMMIT;
    END LOOP;
END
$$;

RESET session_replication_role;
-- The copies fired no trigger, so that all hours count as changed. They are added up now, as the
-- nights of these months would have done.
INSERT INTO job_change (span) VALUES ('[-infinity, infinity)');
VACUUM ANALYZE;
SELECT tally_jobs();
UPDATE closure SET facts_sha256 = facts FROM facts_of_months(ARRAY(SELECT statement_month FROM closure)) AS today
WHERE today.statement_month = closure.statement_month;
CHECKPOINT; -- what was planted is written before the nights that are measured
