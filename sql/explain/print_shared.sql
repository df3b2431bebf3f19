-- For people: parts of pools, of tax and of internal charges.
SELECT CASE WHEN kind = 'internal' THEN 'internal: ' || pool WHEN pool = 'tax' THEN pool ELSE 'pool ' || pool END AS what,
       coalesce(concat_ws(' ', nullif(source, ''), coalesce(invoice_id, CASE WHEN kind = 'shared' THEN '(open)' END)), '') AS invoice,
       trim_scale(whole_effective_cost) AS whole,
       CASE target WHEN 'job' THEN 'job ' || cluster || '/' || job_id WHEN 'cost centre' THEN cost_centre
                   WHEN 'carrier' THEN 'carrier ' || cost_centre ELSE concat_ws(': ', target, reason) END AS goes_to,
       coalesce(trim_scale(weight)::text, '') AS weight, coalesce(trim_scale(weights)::text, '') AS "of_all",
       trim_scale(effective_cost) AS effective_cost, billing_currency AS currency, coalesce(rule_declared, '') AS declared
FROM asked
WHERE kind <> 'line'
ORDER BY kind DESC, pool COLLATE "C", source COLLATE "C", invoice_id COLLATE "C", attempt_id, cost_centre COLLATE "C", reason COLLATE "C";
