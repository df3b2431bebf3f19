-- The rules of the proposed families (suggest/families.sql).
SELECT 'exactly this name' AS worth, coalesce((SELECT max(priority) FROM kstar.family_rule), 0) + 10 * position AS priority,
       'job_name' AS match, family AS pattern, family, '' AS valid_from, '' AS valid_to
FROM proposed_family
ORDER BY position;
