-- Puts beside the new files what is in force of the files that they name or that name them, so that one set of
-- checks sees the state that would be.
INSERT INTO staged_reference (file, record)
SELECT in_force.file, in_force.record
FROM (SELECT 'cost_centres.csv', to_jsonb(cost_centre)       FROM cost_centre
      UNION ALL
      SELECT 'mapping_rules.csv', to_jsonb(mapping_rule)     FROM mapping_rule
      UNION ALL
      SELECT 'pools.csv', to_jsonb(pool)                     FROM pool
      UNION ALL
      SELECT 'pool_rules.csv', to_jsonb(pool_rule)           FROM pool_rule
      UNION ALL
      SELECT 'pool_weights.csv', to_jsonb(pool_weight)       FROM pool_weight
      UNION ALL
      SELECT 'nodes.csv', to_jsonb(node_inventory)           FROM node_inventory
      UNION ALL
      SELECT 'overhead_rates.csv', to_jsonb(overhead_rate)   FROM overhead_rate
      UNION ALL
      SELECT 'engineering.csv', to_jsonb(engineering_time)   FROM engineering_time
      UNION ALL
      SELECT 'families.csv', to_jsonb(family)                FROM family
      UNION ALL
      SELECT 'family_rules.csv', to_jsonb(family_rule)       FROM family_rule) AS in_force (file, record)
WHERE in_force.file NOT IN (SELECT file FROM staged_reference_file);
ANALYZE staged_reference;
