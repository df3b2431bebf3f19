-- Sheet "Coordination waste" of the review: the parts of the waste by family and K, the largest
-- waste first.
SELECT waste.family, k, coalesce(declared.unit, 'nodes') AS unit, shares_from,
       sum(exposed_communication_minor)::bigint AS exposed_communication_minor, sum(idle_minor)::bigint AS idle_minor,
       sum(other_minor)::bigint AS other_minor, sum(waste_minor)::bigint AS waste_minor
FROM family_waste AS waste
LEFT JOIN stated_family_of_month AS declared USING (statement_month, family)
WHERE statement_month = current_setting('kstar.statement_month')::date
GROUP BY waste.family, k, declared.unit, shares_from
ORDER BY waste_minor DESC, family COLLATE "C", k;
