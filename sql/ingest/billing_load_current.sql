-- Makes load $1 the current one of its source and billing period. What it replaces goes with it: a reader sees
-- the old lines or the new ones, since all of this is one transaction. The replaced load itself stays as a record.
WITH incoming AS (
    SELECT load_id, source, billing_period
    FROM load
    WHERE load_id = $1
), replaced AS (
    SELECT load.load_id, load.delivery_id, load.billing_period
    FROM incoming
    JOIN current_load USING (source, billing_period)
    JOIN load ON load.load_id = current_load.load_id
), pruned_line AS (
    DELETE FROM billing_line
    USING replaced
    WHERE billing_line.billing_period = replaced.billing_period AND billing_line.load_id = replaced.load_id
), pruned_reject AS (
    DELETE FROM rejected_row
    USING replaced
    WHERE rejected_row.delivery_id = replaced.delivery_id
      AND rejected_row.billing_period = replaced.billing_period
)
INSERT INTO current_load (source, billing_period, load_id)
SELECT source, billing_period, load_id
FROM incoming
ON CONFLICT (source, billing_period) DO UPDATE SET load_id = excluded.load_id;
