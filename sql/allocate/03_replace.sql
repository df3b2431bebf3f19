-- The statement of the month is made anew: what was published of it goes, in this transaction.

-- Deliveries have just changed these; the plans below depend on how large they are.
SELECT analyze_tables('job', 'job_hold', 'measurement', 'node_inventory', 'mapping_rule', 'pool_rule');
SELECT analyze_tables('invoice', 'account', 'resource', 'sku', 'commitment', 'charge_kind', 'charge_description', 'tag_set');

-- All that is published of a month, in a replay what stands before it.
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
