-- Sheet "Idle and unused": idle nodes and unused commitments, by pool and who pays them.
SELECT component.title AS component, coalesce(statement_row.pool, row_key) AS pool, statement_row.cost_centre,
       sum(statement_row.minor_units)::bigint AS minor_units
FROM scope_row AS statement_row
JOIN component USING (component)
WHERE block = 'invoice' AND line_type = 'charge' AND component IN ('idle', 'unused_commitments')
GROUP BY component.title, component.position, coalesce(statement_row.pool, row_key), statement_row.cost_centre
ORDER BY component.position, coalesce(statement_row.pool, row_key) COLLATE "C", statement_row.cost_centre COLLATE "C";
