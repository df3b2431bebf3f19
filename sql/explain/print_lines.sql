-- For people: parts of bill lines.
SELECT file || ':' || line || CASE WHEN line_in_record > 0 THEN '.' || line_in_record ELSE '' END AS line,
       to_char(charge_start, 'YYYY-MM-DD HH24:MI') || coalesce(' to ' || to_char(charge_end, pattern), '') AS charge_period,
       coalesce(resource_id, '') AS resource, coalesce(sku_id, service_name, '') AS sku, trim_scale(whole_effective_cost) AS line_cost, rule,
       CASE target WHEN 'job' THEN 'job ' || cluster || '/' || job_id
                   WHEN 'pool' THEN 'pool ' || pool || coalesce(' (' || reason || ' of job ' || cluster || '/' || job_id || ')', '')
                   WHEN 'cost centre' THEN cost_centre WHEN 'unallocated' THEN 'unallocated: ' || reason ELSE target END AS goes_to,
       coalesce(to_char(held_from, 'DD HH24:MI:SS') || ' to ' || to_char(held_to, 'DD HH24:MI:SS'), '') AS held,
       coalesce(trim_scale(seconds)::text, '') AS seconds,
       coalesce(div(weight, divisor) || '/' || div(weights, divisor), '') AS part,
       trim_scale(billed_cost) AS billed_cost, trim_scale(effective_cost) AS effective_cost, billing_currency AS currency
FROM asked
CROSS JOIN LATERAL (SELECT gcd(weight, weights), CASE WHEN charge_end - charge_start < interval '1 day' THEN 'HH24:MI' ELSE 'YYYY-MM-DD HH24:MI' END)
           AS shown (divisor, pattern)
WHERE kind = 'line'
ORDER BY charge_start, file COLLATE "C", asked.line, line_in_record, resource_id COLLATE "C", array_position(ARRAY['job', 'pool'], target), target,
         attempt_id, pool COLLATE "C", reason COLLATE "C";
