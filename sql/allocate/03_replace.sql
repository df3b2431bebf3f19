-- Removes the earlier statement of the month, in the transaction that publishes the new one.

-- Deliveries have just changed these tables. Plans of later steps depend on their sizes.
SELECT analyze_tables('job', 'job_hold', 'measurement', 'node_inventory', 'mapping_rule', 'pool_rule');
SELECT analyze_tables('invoice', 'account', 'resource', 'sku', 'commitment', 'charge_kind', 'charge_description', 'tag_set');

-- Deletes what is published of a month. In a replay these are the replay's own tables
-- (close/shadow.sql).
CREATE OR REPLACE FUNCTION pg_temp.unpublish(of_month date) RETURNS void
LANGUAGE plpgsql AS $$
DECLARE
    published text;
BEGIN
    FOREACH published IN ARRAY published_tables() LOOP
        EXECUTE format('DELETE FROM %I WHERE statement_month = $1', published) USING of_month;
    END LOOP;
END
$$;

SELECT pg_temp.unpublish(statement_month) FROM month;
