-- The servers open sessions to each other in which session.sql does not run. So each setting that a
-- result could depend on is set for the database, on each server. To run this file again changes
-- nothing, and gives the settings to workers that were added since.
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
