-- Every part that was asked for, for JSON: its readers keep numbers as doubles, and an attempt's
-- number needs more digits. A cursor, as there may be millions.
DECLARE asked_parts NO SCROLL CURSOR FOR
SELECT kind, source, invoice_issuer, invoice_id, billing_currency, file, line, line_in_record, charge_start, charge_end,
       resource_id, service_name, sku_id, charge_category, charge_part,
       whole_billed_cost, whole_effective_cost, whole_list_cost, whole_contracted_cost, rule, rule_declared,
       target, cluster, job_id, attempt_id::text, cost_centre, centre_declared, pool, reason, held_from, held_to,
       weight, weights, seconds, is_priced, billed_cost, effective_cost, list_cost, contracted_cost, exchange_rate, amount
FROM asked_in_order;
