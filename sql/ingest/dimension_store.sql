-- Stores the staged dimension rows that are new. Rows are inserted in the order of their keys, so
-- that two concurrent deliveries wait for each other instead of ending in a deadlock. JSON is
-- hashed as PostgreSQL stores it.
ANALYZE staged_dimension;

INSERT INTO account (account_key, provider_name, publisher_name, billing_account_id, billing_account_name, billing_account_type,
                     sub_account_id, sub_account_name, sub_account_type, text_hash)
SELECT DISTINCT ON (dimension_key)
       dimension_key, texts[1], texts[2], texts[3], texts[4], texts[5], texts[6], texts[7], texts[8],
       hash_array_extended(texts, dimension_key)
FROM staged_dimension
WHERE dimension = 0 -- DIMENSION_ACCOUNT
ORDER BY dimension_key
ON CONFLICT DO NOTHING;

INSERT INTO invoice (invoice_key, source, billing_period, invoice_issuer_name, invoice_id, billing_currency, text_hash)
SELECT DISTINCT ON (dimension_key)
       dimension_key, texts[1], texts[2], texts[3], texts[4], texts[5],
       hash_array_extended(texts, dimension_key)
FROM staged_dimension
WHERE dimension = 1 -- DIMENSION_INVOICE
ORDER BY dimension_key
ON CONFLICT DO NOTHING;

INSERT INTO resource (resource_key, resource_id, resource_name, resource_type, region_id, region_name, availability_zone, text_hash)
SELECT DISTINCT ON (dimension_key)
       dimension_key, texts[1], texts[2], texts[3], texts[4], texts[5], texts[6],
       hash_array_extended(texts, dimension_key)
FROM staged_dimension
WHERE dimension = 2 -- DIMENSION_RESOURCE
ORDER BY dimension_key
ON CONFLICT DO NOTHING;

INSERT INTO sku (sku_key, service_category, service_subcategory, service_name, sku_id, sku_price_id, sku_meter,
                 sku_price_details, pricing_unit, consumed_unit, list_unit_price, contracted_unit_price,
                 pricing_currency, text_hash)
SELECT DISTINCT ON (dimension_key)
       dimension_key, texts[1], texts[2], texts[3], texts[4], texts[5], texts[6], texts[7], texts[8], texts[9],
       texts[10], texts[11], texts[12],
       hash_array_extended(texts, dimension_key)
FROM staged_dimension
WHERE dimension = 3 -- DIMENSION_SKU
ORDER BY dimension_key
ON CONFLICT DO NOTHING;

INSERT INTO commitment (commitment_key, commitment_discount_id, commitment_discount_name, commitment_discount_category,
                        commitment_discount_type, commitment_discount_unit, capacity_reservation_id, text_hash)
SELECT DISTINCT ON (dimension_key)
       dimension_key, texts[1], texts[2], texts[3], texts[4], texts[5], texts[6],
       hash_array_extended(texts, dimension_key)
FROM staged_dimension
WHERE dimension = 4 -- DIMENSION_COMMITMENT
ORDER BY dimension_key
ON CONFLICT DO NOTHING;

INSERT INTO charge_kind (charge_kind_key, charge_category, charge_class, charge_frequency, pricing_category, commitment_discount_status,
                         capacity_reservation_status, text_hash)
SELECT DISTINCT ON (dimension_key)
       dimension_key, texts[1], texts[2], texts[3], texts[4], texts[5], texts[6],
       hash_array_extended(texts, dimension_key)
FROM staged_dimension
WHERE dimension = 5 -- DIMENSION_CHARGE_KIND
ORDER BY dimension_key
ON CONFLICT DO NOTHING;

INSERT INTO charge_description (charge_description_key, charge_description, text_hash)
SELECT DISTINCT ON (dimension_key)
       dimension_key, texts[1],
       hash_array_extended(texts, dimension_key)
FROM staged_dimension
WHERE dimension = 6 -- DIMENSION_CHARGE_DESCRIPTION
ORDER BY dimension_key
ON CONFLICT DO NOTHING;

INSERT INTO tag_set (tag_set_key, tags, text_hash)
SELECT DISTINCT ON (dimension_key)
       dimension_key, texts[1]::jsonb,
       hash_array_extended(ARRAY[texts[1]::jsonb::text], dimension_key)
FROM staged_dimension
WHERE dimension = 7 -- DIMENSION_TAG_SET
ORDER BY dimension_key
ON CONFLICT DO NOTHING;

INSERT INTO custom_columns (custom_columns_key, columns, text_hash)
SELECT DISTINCT ON (dimension_key)
       dimension_key, texts[1]::jsonb,
       hash_array_extended(ARRAY[texts[1]::jsonb::text], dimension_key)
FROM staged_dimension
WHERE dimension = 8 -- DIMENSION_CUSTOM_COLUMNS
ORDER BY dimension_key
ON CONFLICT DO NOTHING;
