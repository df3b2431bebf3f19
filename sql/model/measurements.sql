-- Every measurement of a family's own series, in the order of series: one fit each. Measurements of
-- one job alone do not enter a fit but as production_run has them, nor does the compute share of a
-- profile. What is there twice to the last digit and of one date (a row copied, a file delivered
-- under two names) counts once: a copy is no second run, and would say that runs have no noise.
-- Equal values of two dates are two runs.
SELECT family, scaling, metric, accelerator, precision_name, batch, model, sequence_length, software, origin, k, value
FROM (SELECT DISTINCT family, scaling, metric, accelerator, precision_name, batch, model, sequence_length, software, '' AS origin, k, value, measured_at
      FROM measurement
      WHERE job_id IS NULL AND metric <> 'compute_share'
      UNION ALL
      SELECT *, NULL
      FROM production_run) AS run
ORDER BY family COLLATE "C", scaling, metric, accelerator COLLATE "C", precision_name COLLATE "C", batch COLLATE "C",
         model COLLATE "C", sequence_length COLLATE "C", software COLLATE "C", origin COLLATE "C", k, value;
