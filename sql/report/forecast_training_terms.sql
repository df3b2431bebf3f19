-- Sheet "Training sizes": the values from which the cost of a planned training is calculated.
SELECT training_no, training, ahead, cell_no, bought_no, per_node, own_penalty, efficiency_left, ideal_k_hours, measured_k_hours, work,
       list_price, price_factor, spot, is_spot_price, node_price, node_overhead, wall_price, waiting_price, spot_is_stated, rate, checkpoint_hours,
       restart_hours,
       CASE WHEN spot_is_stated THEN 0 ELSE rate END AS own_rate, CASE WHEN spot_is_stated THEN 0 ELSE checkpoint_hours END AS own_checkpoint,
       CASE WHEN spot_is_stated THEN 0 ELSE restart_hours END AS own_restart
FROM forecast_book, jsonb_to_recordset(content->'plans') AS plans_row (
       training_no integer, training text, ahead integer, cell_no integer, bought_no integer, per_node double precision,
       own_penalty double precision, efficiency_left double precision, ideal_k_hours double precision,
       measured_k_hours double precision, work double precision, list_price double precision, price_factor double precision,
       spot boolean, is_spot_price boolean, node_price double precision, node_overhead double precision, wall_price double precision,
       waiting_price double precision, spot_is_stated boolean,
       rate double precision, checkpoint_hours double precision, restart_hours double precision)
ORDER BY training_no;
