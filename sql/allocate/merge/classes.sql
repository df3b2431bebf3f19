-- The classes of lines, in the order of the columns by which charges are grouped, with the pool and
-- cost centre that rules name for them.
DECLARE catalogue NO SCROLL CURSOR FOR
SELECT invoice_key, charge_kind_key, account_key, line_class.resource_key, sku_key, commitment_key, tag_set_key, charge_description_key,
       epoch, CASE WHEN resource_id IS NULL THEN 0 ELSE node_key END, source, sku_id, provider_name, service_name,
       service_category, charge_part, closed_month, consumed_unit_seconds, pricing_unit_seconds,
       pool, cost_centre,
       charge_category = 'Tax', charge_category = 'Purchase' AND commitment_discount_id IS NOT NULL,
       charge_category = 'Usage', charge_class IS NOT DISTINCT FROM 'Correction', is_unused, is_covered,
       is_committed, is_spot,
       coalesce(named_count, 0), class_id
FROM line_class
LEFT JOIN class_pool USING (class_id)
LEFT JOIN class_cost_centre USING (class_id)
LEFT JOIN (SELECT class_id, count(*) AS named_count FROM class_job JOIN attempt USING (attempt_id) GROUP BY class_id) AS named USING (class_id)
ORDER BY class_id
