-- A person accepted that delivery $1 repeats lines of other sources: both count, and nobody is
-- asked again. If the delivery withdraws a bill, earlier acceptances that name its source end.
WITH ended AS (
    DELETE FROM accepted_repeat
    USING delivery
    WHERE delivery_id = $1 AND delivery.source IN (accepted_repeat.source, repeated_source)
      AND EXISTS (SELECT FROM load WHERE load.delivery_id = $1) AND NOT EXISTS (SELECT FROM load WHERE load.delivery_id = $1 AND row_count > 0)
), accepted AS (
    INSERT INTO accepted_repeat (source, repeated_source, account_key)
    SELECT DISTINCT source, repeated_source, account_key FROM repeated_content($1)
    RETURNING repeated_source
)
SELECT DISTINCT repeated_source FROM accepted ORDER BY 1;
