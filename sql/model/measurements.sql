-- Every measurement of a family's own series, in the order of series: one fit each. Measurements of
-- one job alone do not enter a fit, nor does the compute share of a profile. What is there twice to
-- the last digit and of one date (a row copied, a file delivered under two names) counts once: a
-- copy is no second run, and would say that runs have no noise. Equal values of two dates are two
-- runs.
SELECT family, scaling, metric, accelerator, precision_name, batch, k, value
FROM (SELECT DISTINCT family, scaling, metric, accelerator, precision_name, batch, k, value, measured_at
      FROM measurement
      WHERE job_id IS NULL AND metric <> 'compute_share') AS run
ORDER BY family COLLATE "C", scaling, metric, accelerator COLLATE "C", precision_name COLLATE "C", batch COLLATE "C",
         k, value;
