-- Adds the rows in force of files that are not staged, so that the checks see all files as they
-- would be. (The alias matters: to_jsonb(pool) would be the column of that name.)
INSERT INTO staged_reference (file, record)
SELECT in_force.file, in_force.record
FROM (SELECT 'cost_centres.csv', to_jsonb(declared) FROM cost_centre AS declared
      UNION ALL
      SELECT 'mapping_rules.csv', to_jsonb(declared) FROM mapping_rule AS declared
      UNION ALL
      SELECT 'pools.csv', to_jsonb(declared) FROM pool AS declared
      UNION ALL
      SELECT 'pool_rules.csv', to_jsonb(declared) FROM pool_rule AS declared
      UNION ALL
      SELECT 'pool_weights.csv', to_jsonb(declared) FROM pool_weight AS declared
      UNION ALL
      SELECT 'nodes.csv', to_jsonb(declared) FROM declared_node AS declared
      UNION ALL
      SELECT 'node_types.csv', to_jsonb(declared) FROM node_type AS declared
      UNION ALL
      SELECT 'node_rates.csv', to_jsonb(declared) FROM node_rate AS declared
      UNION ALL
      SELECT 'refund_rules.csv', to_jsonb(declared) FROM refund_rule AS declared
      UNION ALL
      SELECT 'overhead_rates.csv', to_jsonb(declared) FROM overhead_rate AS declared
      UNION ALL
      SELECT 'engineering.csv', to_jsonb(declared) FROM engineering_time AS declared
      UNION ALL
      SELECT 'families.csv', to_jsonb(declared) FROM family AS declared
      UNION ALL
      SELECT 'interruptions.csv', to_jsonb(declared) FROM interruption AS declared
      UNION ALL
      SELECT 'budgets.csv', to_jsonb(declared) FROM budget AS declared
      UNION ALL
      SELECT 'readers.csv', to_jsonb(declared) FROM reader AS declared
      UNION ALL
      SELECT 'planned_trainings.csv', to_jsonb(declared) FROM planned_training AS declared
      UNION ALL
      SELECT 'serving_fleets.csv', to_jsonb(declared) FROM serving_fleet AS declared
      UNION ALL
      SELECT 'serving_measurements.csv', to_jsonb(declared) FROM serving_measurement AS declared
      UNION ALL
      SELECT 'family_rules.csv', to_jsonb(declared) FROM family_rule AS declared) AS in_force (file, record)
WHERE in_force.file NOT IN (SELECT file FROM staged_reference_file);
ANALYZE staged_reference;
