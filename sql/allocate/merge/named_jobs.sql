-- The attempts that a class of lines may be charged to by rule 1, in the order of classes.sql.
DECLARE catalogue NO SCROLL CURSOR FOR
SELECT attempt_id, is_own
FROM class_job
JOIN attempt USING (attempt_id)
ORDER BY class_id, is_own DESC, attempt_id
