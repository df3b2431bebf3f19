-- Why delivery $1 is held: it repeats lines that already count under another source. No row: it is
-- not held. The reason names the repetition with the most money. It names files if these repeat as
-- much money as the whole delivery.
WITH repeated AS (
    SELECT billing_period, file_id, repeated_source, repeated_delivery, repeated_file, billing_currency, sum(billed_cost) AS billed_cost,
           CASE WHEN count(*) > 1 THEN count(*) || ' accounts'
                ELSE coalesce('account ' || min(coalesce(sub_account_id, billing_account_id)), 'no account') END AS whose
    FROM repeated_content($1)
    LEFT JOIN account USING (account_key)
    GROUP BY billing_period, file_id, repeated_source, repeated_delivery, repeated_file, billing_currency
)
SELECT format('%s repeats %s, which counts already under source %s: %s %s of %s in billing period %s would be charged twice; '
              'where this source takes the place of that one, withdraw that bill first',
              coalesce('its ' || file.path, 'it'), coalesce(original.path || ' of ', '') || delivery.label, repeated_source,
              billing_currency, trim_scale(billed_cost), whose, billing_period),
       to_char(billing_period, 'YYYY-MM-DD')
FROM repeated
JOIN delivery ON delivery.delivery_id = repeated_delivery
LEFT JOIN source_file AS file ON file.file_id = repeated.file_id
LEFT JOIN source_file AS original ON original.file_id = repeated_file
ORDER BY abs(billed_cost) DESC, repeated.file_id IS NULL, repeated_file IS NULL, billing_period, file.path COLLATE "C",
         delivery.label COLLATE "C", original.path COLLATE "C"
LIMIT 1;
