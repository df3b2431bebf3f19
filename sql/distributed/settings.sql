-- The servers open sessions to each other, and session.sql does not run in those. So each setting
-- that could change a result is set for the database, on each server. Running this file again
-- changes nothing, except that workers added since get the settings.
DO $$
DECLARE
    setting text;
    refused text;
BEGIN
    FOREACH setting IN ARRAY ARRAY['timezone = ''UTC''', 'datestyle = ''ISO, YMD''', 'intervalstyle = ''iso_8601''',
                                   'extra_float_digits = 1', 'jit = off'] LOOP
        EXECUTE format('ALTER DATABASE %I SET %s', current_database(), setting);
        SELECT nodename || ':' || nodeport || ': ' || result INTO refused
        FROM run_command_on_workers(format('ALTER DATABASE %I SET %s', current_database(), setting))
        WHERE NOT success LIMIT 1;
        IF FOUND THEN
            RAISE EXCEPTION 'a worker does not take a setting: %', refused
                USING HINT = 'who distributes must own the database on every server';
        END IF;
    END LOOP;
END
$$;
