-- An attempt_id that stands for two identities: a row with both. No row: there is none.
SELECT format('%s/%s/%s', staged_job.cluster, staged_job.job_id_raw, chosen_job.attempt_mark) AS one,
       format('%s/%s/%s/%s', job.source, job.cluster, job.job_id_raw, job.attempt_mark)       AS other
FROM chosen_job
JOIN staged_job USING (record_number)
JOIN job ON job.attempt_id = chosen_job.attempt_id
WHERE (job.source, job.cluster, job.job_id_raw, job.attempt_mark)
      <> ($1, staged_job.cluster, staged_job.job_id_raw, chosen_job.attempt_mark)
UNION ALL
SELECT min(identity), max(identity)
FROM (SELECT attempt_id, format('%s/%s/%s', cluster, job_id_raw, attempt_mark) AS identity FROM staged_job) AS staged
GROUP BY attempt_id
HAVING min(identity) <> max(identity)
LIMIT 1;
