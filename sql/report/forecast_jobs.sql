-- Sheet "Node counts": the work of the last months by node count, and the node count under the
-- policy.
SELECT cell_no, cost_centre, family, curve_no, per_node, k, k_star, new_k, node_hours, wall_hours, hours_at_k,
       hours_at_new_k, new_node_hours, new_wall_hours, stretch, stretched
FROM forecast_book, jsonb_to_recordset(content->'jobs') AS jobs_row (
       cell_no integer, cost_centre text, family text, curve_no integer, per_node integer, k integer, k_star integer,
       new_k integer, node_hours double precision, wall_hours double precision, hours_at_k double precision,
       hours_at_new_k double precision, new_node_hours double precision, new_wall_hours double precision,
       stretch double precision, stretched double precision)
ORDER BY cell_no, k, k_star;
