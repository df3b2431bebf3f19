-- The delivery before $1 under the same label, if it has the same lines in other files and all of
-- its loads are current. No row: delivery $1 brings something new.
WITH former AS (
    SELECT max(former.delivery_id) AS delivery_id
    FROM delivery AS incoming
    JOIN delivery AS former USING (kind, source, label)
    WHERE incoming.delivery_id = $1 AND former.delivery_id < $1
), compared AS (
    SELECT load.*, current_load.load_id IS NOT NULL AS is_current
    FROM load
    LEFT JOIN current_load USING (load_id)
    WHERE delivery_id IN ($1, (SELECT delivery_id FROM former))
), held AS (
    SELECT delivery_id, billing_period, account_key, billing_currency, content_sum(content) AS content
    FROM compared
    JOIN load_content USING (load_id)
    GROUP BY delivery_id, billing_period, account_key, billing_currency
    UNION ALL
    SELECT delivery_id, billing_period, NULL, NULL, row_count FROM compared
)
SELECT delivery_id
FROM former
WHERE EXISTS (SELECT FROM compared WHERE delivery_id = $1)
  AND NOT EXISTS (SELECT FROM compared WHERE delivery_id <> $1 AND NOT is_current)
  AND NOT EXISTS (SELECT FROM held GROUP BY billing_period, account_key, billing_currency, content HAVING count(*) < 2);
