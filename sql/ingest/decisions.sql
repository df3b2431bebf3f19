-- What the review workbook $1 decides, in words.
SELECT 'job ' || coalesce(CASE WHEN heterogeneous_job_id IS NULL THEN job_id ELSE heterogeneous_job_id END, attempt_id::text)
           || coalesce(' (' || job_name || ')', '') || ': '
           || concat_ws(', ', 'next one on ' || resize_to, 'accepted until ' || accept_until, 'by ' || decided_by)
FROM review_decision
LEFT JOIN job USING (attempt_id)
WHERE declared_in = $1
ORDER BY 1;
