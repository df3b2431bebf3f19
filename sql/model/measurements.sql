-- The measurements behind the fits, in the order of series: one fit each. A measurement of one job
-- enters a fit only by production_run, and a profile's compute share never does. Rows that are
-- equal to the last digit and of one date (a row copied, a file delivered under two names) count
-- once: a copy is no second run, and would make runs look free of noise. Equal values of two dates
-- are two runs.
SELECT family, scaling, metric, accelerator, precision_name, batch, model, sequence_length, software, origin, k, value
FROM (SELECT DISTINCT family, scaling, metric, accelerator, precision_name, batch, model, sequence_length, software, '' AS origin, k, value, measured_at
      FROM measurement
      WHERE job_id IS NULL AND metric <> 'compute_share'
      UNION ALL
      SELECT *, NULL
      FROM production_run) AS run
ORDER BY family COLLATE "C", scaling, metric, accelerator COLLATE "C", precision_name COLLATE "C", batch COLLATE "C",
         model COLLATE "C", sequence_length COLLATE "C", software COLLATE "C", origin COLLATE "C", k, value;
