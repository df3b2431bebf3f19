-- The planned trainings of the month in kstar.statement_month and later (or from kstar.planned_from
-- on), with the prices of their families: p and overhead by the node-hour of one K, f with the cost
-- of waiting, that cost, and how most of the hardware was bought. The prices of a family are those
-- of the latest statement with priced jobs of the family, up to that month and in its currency.
SELECT training, planned_training.family, one_node_hours, k, price_per_node_hour, overhead_per_node_hour, fixed_per_wall_hour, waiting_per_hour, capacity
FROM planned_training
LEFT JOIN (SELECT DISTINCT ON (family) family, price_per_node_hour, overhead_per_node_hour, fixed_per_wall_hour, capacity, waiting_per_hour
           FROM family_fit
           JOIN statement USING (statement_month)
           JOIN (SELECT statement_month AS last_month, statement_currency FROM statement) AS last USING (statement_currency)
           WHERE price_per_node_hour IS NOT NULL AND statement_month <= last_month
             AND last_month = nullif(current_setting('kstar.statement_month'), '')::date
           ORDER BY family, statement_month DESC) AS price USING (family)
WHERE month >= coalesce(nullif(current_setting('kstar.planned_from', true), ''), left(current_setting('kstar.statement_month'), 7))
ORDER BY training COLLATE "C";
