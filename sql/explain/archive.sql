-- The rows of `explained` for the archive, one cost centre after another. Each row begins with the
-- number of its cost centre and with its attempt. The order puts rows side by side that are alike.
COPY (SELECT owner_no, coalesce(attempt_id, 0),
             kind, source, invoice_issuer, invoice_id, billing_currency, file, line, line_in_record, charge_start, charge_end, resource_id,
             service_name, sku_id, charge_category, charge_part, whole_billed_cost, whole_effective_cost, whole_list_cost,
             whole_contracted_cost, rule, rule_declared, target, cluster, job_id, attempt_id, cost_centre, centre_declared, pool, reason,
             held_from, held_to, weight, weights,
             CASE WHEN seconds = weight * 0.000001 THEN 'a' ELSE seconds::text END,
             is_priced,
             pg_temp.part_code(billed_cost, whole_billed_cost, weight, weights),
             pg_temp.part_code(effective_cost, whole_effective_cost, weight, weights),
             pg_temp.part_code(list_cost, whole_list_cost, weight, weights),
             pg_temp.part_code(contracted_cost, whole_contracted_cost, weight, weights),
             exchange_rate,
             CASE WHEN amount = effective_cost * exchange_rate THEN 'a' ELSE amount::text END
      FROM explained
      JOIN archive_owner ON owner = coalesce(explained.cost_centre, '')
      ORDER BY owner_no, array_position(ARRAY['line', 'shared', 'internal'], kind), CASE kind WHEN 'line' THEN 0 ELSE attempt_id END,
               resource_id COLLATE "C" NULLS LAST, charge_start, charge_end, file COLLATE "C", line, line_in_record, source COLLATE "C",
               invoice_issuer COLLATE "C", invoice_id COLLATE "C", billing_currency, pool COLLATE "C", array_position(ARRAY['job', 'pool'], target),
               target, attempt_id, reason COLLATE "C", weight, whole_effective_cost, whole_billed_cost)
TO STDOUT (FORMAT csv);
