-- Proposed mapping rules, behind the existing ones. An existing cost centre keeps its spelling.
SELECT worth,
       coalesce((SELECT max(priority) FROM kstar.mapping_rule), 0)
           + 10 * row_number() OVER (ORDER BY kind, amount DESC, node_hours DESC, pattern COLLATE "C") AS priority,
       match, pattern,
       coalesce((SELECT min(cost_centre) FROM kstar.cost_centre WHERE lower(proposal.name) IN (lower(cost_centre), lower(cost_centre.name))),
                first_value(name) OVER (PARTITION BY lower(name) ORDER BY kind, name COLLATE "C")) AS cost_centre,
       '' AS valid_from, '' AS valid_to
FROM proposal
ORDER BY 2;
