-- Sheet "Energy and carbon": the rows of node_power.csv in force in the month.
SELECT coalesce(nullif(cluster, ''), 'any') AS cluster, coalesce(nullif(node_type, ''), 'any') AS node_type, watts_at_load, watts_idle,
       nullif(valid_from, '-infinity') AS valid_from, nullif(valid_to, 'infinity') AS valid_to
FROM stated_node_power
WHERE statement_month = current_setting('kstar.statement_month')::date
  AND valid_from < (statement_month + interval '1 month')::date AND valid_to > statement_month
ORDER BY stated_node_power.cluster COLLATE "C", stated_node_power.node_type COLLATE "C", stated_node_power.valid_from;
