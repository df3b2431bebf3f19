-- The register of jobs keeps what a result is made of: which run group an attempt is of, and what tokens its comment says that it has trained.
-- Read from the job records of today, they changed the workbooks of closed months with every late record.
ALTER TABLE job_result ADD COLUMN run_group text, ADD COLUMN commented_tokens numeric; -- as the records said when it was published

-- What is published already has them as it would have been shown until now. By way of a table, as jobs may lie on several servers.
CREATE TEMP TABLE known_group ON COMMIT DROP AS
SELECT attempt_id, run_group
FROM job_run_group
WHERE EXISTS (SELECT priority FROM declared_run_group)
UNION ALL
SELECT attempt_id, run_group
FROM job
WHERE NOT EXISTS (SELECT priority FROM declared_run_group);

CREATE TEMP TABLE known_tokens ON COMMIT DROP AS
SELECT attempt_id, commented_tokens(comment) AS tokens
FROM job
WHERE comment LIKE '%trained\_tokens=%';

ANALYZE known_group, known_tokens;

UPDATE job_result
SET run_group = known_group.run_group, commented_tokens = tokens
FROM known_group LEFT JOIN known_tokens USING (attempt_id)
WHERE known_group.attempt_id = job_result.attempt_id;
