-- A key under which two texts stand: the dimension, the key, what is stored and what this delivery
-- holds. No row is the rule: keys are 64 bits of a hash.
WITH stored_dimension AS (
    SELECT 0::smallint AS dimension, 'account' AS name, account_key AS dimension_key,
           ARRAY[provider_name, publisher_name, billing_account_id, billing_account_name,
                 billing_account_type, sub_account_id,
                 sub_account_name, sub_account_type] AS texts
    FROM account WHERE account_key IN (SELECT dimension_key FROM staged_dimension WHERE dimension = 0)
    UNION ALL
    SELECT 1::smallint, 'invoice', invoice_key,
           ARRAY[source, billing_period, invoice_issuer_name, invoice_id, billing_currency]
    FROM invoice WHERE invoice_key IN (SELECT dimension_key FROM staged_dimension WHERE dimension = 1)
    UNION ALL
    SELECT 2::smallint, 'resource', resource_key,
           ARRAY[resource_id, resource_name, resource_type, region_id, region_name, availability_zone]
    FROM resource WHERE resource_key IN (SELECT dimension_key FROM staged_dimension WHERE dimension = 2)
    UNION ALL
    SELECT 3::smallint, 'sku', sku_key,
           ARRAY[service_category, service_subcategory, service_name, sku_id, sku_price_id, sku_meter,
                 sku_price_details,
                 pricing_unit, consumed_unit, list_unit_price, contracted_unit_price, pricing_currency]
    FROM sku WHERE sku_key IN (SELECT dimension_key FROM staged_dimension WHERE dimension = 3)
    UNION ALL
    SELECT 4::smallint, 'commitment', commitment_key,
           ARRAY[commitment_discount_id, commitment_discount_name, commitment_discount_category,
                 commitment_discount_type,
                 commitment_discount_unit, capacity_reservation_id]
    FROM commitment WHERE commitment_key IN (SELECT dimension_key FROM staged_dimension WHERE dimension = 4)
    UNION ALL
    SELECT 5::smallint, 'charge_kind', charge_kind_key,
           ARRAY[charge_category, charge_class, charge_frequency, pricing_category,
                 commitment_discount_status,
                 capacity_reservation_status]
    FROM charge_kind WHERE charge_kind_key IN (SELECT dimension_key FROM staged_dimension WHERE dimension = 5)
    UNION ALL
    SELECT 6::smallint, 'charge_description', charge_description_key,
           ARRAY[charge_description]
    FROM charge_description WHERE charge_description_key IN (SELECT dimension_key FROM staged_dimension WHERE dimension = 6)
    UNION ALL
    SELECT 7::smallint, 'tag_set', tag_set_key,
           ARRAY[tags::text]
    FROM tag_set WHERE tag_set_key IN (SELECT dimension_key FROM staged_dimension WHERE dimension = 7)
    UNION ALL
    SELECT 8::smallint, 'custom_columns', custom_columns_key,
           ARRAY[columns::text]
    FROM custom_columns WHERE custom_columns_key IN (SELECT dimension_key FROM staged_dimension WHERE dimension = 8)
)
SELECT name, dimension_key, stored_dimension.texts, staged_dimension.texts
FROM staged_dimension
JOIN stored_dimension USING (dimension, dimension_key)
WHERE CASE WHEN dimension IN (7, 8) -- tags and columns: JSON, whatever its white space
           THEN staged_dimension.texts[1]::jsonb <> stored_dimension.texts[1]::jsonb
           ELSE staged_dimension.texts <> stored_dimension.texts END
ORDER BY name, dimension_key
LIMIT 1;
