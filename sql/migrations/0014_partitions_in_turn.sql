-- Two sources that deliver a new billing period at the same time made its partition twice, and the later one failed: now it
-- waits for the other's transaction, and finds the partition. The lock is the one that attaching takes anyhow.
CREATE OR REPLACE FUNCTION ensure_billing_partition(period date) RETURNS text
LANGUAGE plpgsql AS $$
DECLARE
    partition_name text := 'billing_line_' || to_char(period, 'YYYYMMDD');
BEGIN
    IF to_regclass('kstar.' || quote_ident(partition_name)) IS NULL THEN
        LOCK TABLE kstar.billing_line IN SHARE UPDATE EXCLUSIVE MODE;
    END IF;
    IF to_regclass('kstar.' || quote_ident(partition_name)) IS NULL THEN
        EXECUTE format('CREATE TABLE kstar.%I (LIKE kstar.billing_line INCLUDING DEFAULTS INCLUDING CONSTRAINTS)',
                       partition_name);
        EXECUTE format('ALTER TABLE kstar.billing_line ATTACH PARTITION kstar.%I FOR VALUES IN (%L)',
                       partition_name, period);
    END IF;
    RETURN partition_name;
END
$$;
