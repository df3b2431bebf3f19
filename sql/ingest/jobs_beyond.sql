-- The three latest records of source $1 that report a time after the source's horizon: the place of
-- each, that time, and the horizon.
SELECT label, line_number, job_id,
       to_char(covered_to AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"') AS covered_to,
       to_char(horizon AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"')    AS horizon
FROM job
JOIN job_horizon USING (source)
JOIN job_place USING (attempt_id)
JOIN delivery USING (delivery_id)
WHERE job.source = $1
  -- a sub-select is evaluated first, so the index is read from the horizon on
  AND covered_to > (SELECT horizon FROM job_horizon WHERE source = $1)
ORDER BY job.covered_to DESC, attempt_id
LIMIT 3;
