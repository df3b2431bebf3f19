-- Decodes the rows that were read from the archive.
INSERT INTO explained
SELECT kind, source, invoice_issuer, invoice_id, billing_currency, file, line, line_in_record, charge_start, charge_end, resource_id,
       service_name, sku_id, charge_category, charge_part, whole_billed_cost, whole_effective_cost, whole_list_cost, whole_contracted_cost,
       rule, rule_declared, target, cluster, job_id, attempt_id, cost_centre, centre_declared, pool, reason, held_from, held_to, weight,
       weights,
       CASE seconds WHEN 'a' THEN trim_scale(weight * 0.000001) ELSE seconds::numeric END, is_priced,
       pg_temp.coded_part(billed_cost, whole_billed_cost, weight, weights), pg_temp.coded_part(effective_cost, whole_effective_cost, weight, weights),
       pg_temp.coded_part(list_cost, whole_list_cost, weight, weights), pg_temp.coded_part(contracted_cost, whole_contracted_cost, weight, weights),
       exchange_rate,
       CASE amount WHEN 'a' THEN trim_scale(pg_temp.coded_part(effective_cost, whole_effective_cost, weight, weights) * exchange_rate)
                   ELSE amount::numeric END
FROM archived;
