-- Sheet "Work and price": node-hours of each month, and the price of one before commitments.
SELECT line_no, ahead, month, cost_centre, cell_no, family, trend_work, work, node_hours, trend_price, price_factor, price,
       on_demand_hours, list_cost, recent_cost
FROM forecast_book, jsonb_to_recordset(content->'lines') AS lines_row (
       line_no integer, ahead integer, month date, cost_centre text, cell_no integer, family text,
       trend_work double precision, work double precision, node_hours double precision, trend_price double precision,
       price_factor double precision, price double precision, on_demand_hours double precision,
       list_cost double precision, recent_cost double precision)
ORDER BY line_no;
