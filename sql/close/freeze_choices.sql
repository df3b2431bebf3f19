-- Copies all rows of the choice tables for the month in kstar.statement_month: replays use these.
DO $$
DECLARE
    choice text;
BEGIN
    FOREACH choice IN ARRAY choice_tables() LOOP
        EXECUTE format('INSERT INTO frozen_reference (statement_month, table_name, content)
                        SELECT current_setting(''kstar.statement_month'')::date, %1$L, to_jsonb(choice) FROM kstar.%1$I AS choice',
                       choice);
    END LOOP;
END
$$;

SELECT freeze_idle_pools(current_setting('kstar.statement_month')::date);
