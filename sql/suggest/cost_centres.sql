-- Proposed cost centres. One name as tag, account and Slurm account is one cost centre, in any
-- letter case.
SELECT string_agg(DISTINCT match || ' ' || pattern || ': ' || worth, '; ') AS worth,
       (array_agg(name ORDER BY kind, name COLLATE "C"))[1] AS cost_centre,
       (array_agg(name ORDER BY kind, name COLLATE "C"))[1] AS name, '' AS gl_account, '' AS owner, '' AS valid_from, '' AS valid_to
FROM proposal
WHERE lower(name) NOT IN (SELECT lower(cost_centre) FROM kstar.cost_centre UNION SELECT lower(name) FROM kstar.cost_centre)
GROUP BY lower(name)
ORDER BY sum(amount) DESC, sum(node_hours) DESC, lower(name) COLLATE "C";
