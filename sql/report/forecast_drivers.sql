-- Sheet "Drivers": the history of each cost centre and family, and its values under the scenario's
-- inputs.
SELECT cell_no, cost_centre, family, recent_work, efficiency, recent_node_hours, unmeasured_share, fees_per_node_hour,
       failed_factor, interrupted_factor, cancelled_factor, hardware_alone, fees_alone, failed_alone, cancelled_alone,
       bought_on_spot, fixed_by_node_hours, policy_hours, policy_wall, spot_stretch
FROM forecast_book, jsonb_to_recordset(content->'cells') AS cells_row (
       cell_no integer, cost_centre text, family text, recent_work double precision, efficiency double precision,
       recent_node_hours double precision, unmeasured_share double precision, fees_per_node_hour double precision,
       failed_factor double precision, interrupted_factor double precision, cancelled_factor double precision,
       hardware_alone double precision, fees_alone double precision, failed_alone double precision,
       cancelled_alone double precision, bought_on_spot double precision, fixed_by_node_hours double precision,
       policy_hours double precision, policy_wall double precision,
       spot_stretch double precision)
ORDER BY cell_no;
