-- Lines that a source moved from one billing period to another were charged in both, in silence. Now they are compared
-- (sql/ingest/moved_*.sql), and the delivery is held until a person says whether they have moved.

-- A hold may keep several months open, and says with which commands a person answers it.
ALTER TABLE held_delivery ADD COLUMN billing_periods date[], ADD COLUMN answers text;
UPDATE held_delivery SET billing_periods = ARRAY[billing_period], answers = 'if it is right, let it in: kstar ingest billing --accept FOLDER';
ALTER TABLE held_delivery DROP COLUMN billing_period, ALTER COLUMN billing_periods SET NOT NULL, ALTER COLUMN answers SET NOT NULL;

-- A load may be what is left of an earlier one, after some of its lines were withdrawn.
ALTER TABLE load ADD COLUMN rest_of integer REFERENCES delivery; -- the delivery that brought its lines; null: its own

-- What makes two lines the same charge, whatever billing period they stand in: `charge` is a hash of account, resource,
-- SKU, charge period and currency, `identity` one of these and both costs. Names, tags and descriptions may change when
-- a provider restates a bill.
CREATE VIEW line_identity AS
SELECT chunk_id, billing_line.billing_period, line_in_chunk, row_in_record, charge_period_start, charge_period_end, tag_set_key, billed_cost, effective_cost,
       billing_currency, charge, hashtextextended(trim_scale(billed_cost) || ' ' || trim_scale(effective_cost), charge) AS identity
FROM billing_line
JOIN invoice USING (invoice_key)
LEFT JOIN account USING (account_key)
LEFT JOIN resource USING (resource_key)
LEFT JOIN sku USING (sku_key)
CROSS JOIN LATERAL (SELECT hashtextextended(jsonb_build_array(
    lower(billing_account_id), lower(sub_account_id), lower(resource_id), service_name, sku_id, sku_price_id,
    extract(epoch FROM charge_period_start), extract(epoch FROM charge_period_end), billing_currency)::text, 0)) AS hashed (charge);

-- As 0078 has it, where the file may be one of an earlier delivery.
CREATE OR REPLACE VIEW quarantined_money AS
SELECT load_id, load.source, load.statement_month, billing_period, delivery_id, file_id, line_number,
       row_place(label, path, line_number, column_name) AS place, reason, is_read, invoice_key, commitment_discount_id, billing_currency,
       billed_cost, coalesce(effective_cost, billed_cost) AS effective_cost,
       CASE WHEN NOT is_read THEN 'unread money' WHEN effective_cost IS NULL THEN 'effective cost unread' END AS note_kind,
       CASE WHEN is_read AND effective_cost IS NULL THEN reason || ': counted as billed until the file is mended'
            WHEN NOT is_read THEN
                reason || ': without a '
                || CASE WHEN billed_cost IS NULL THEN 'billed cost' WHEN billing_currency IS NULL THEN 'currency' ELSE 'billing period or invoice' END
                || ' the row is not on the statement'
                || coalesce(', nor is its ' || coalesce('billed cost of ' || billed_cost, 'effective cost of ' || effective_cost)
                            || coalesce(' ' || billing_currency, ''), '') END AS note
FROM rejected_row
JOIN load USING (delivery_id, billing_period)
JOIN delivery USING (delivery_id)
JOIN (SELECT file_id, path FROM source_file) AS file USING (file_id)
CROSS JOIN LATERAL (SELECT billed_cost IS NOT NULL AND invoice_key IS NOT NULL) AS money (is_read);
