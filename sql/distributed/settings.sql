-- The servers work for each other in sessions that session.sql has not seen: what a result could
-- depend on is set for all sessions of the database, on each server. Said again it changes nothing;
-- a worker that is added later gets it so.
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
