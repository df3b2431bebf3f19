-- The sums of each load on the statement, for kstar diff. The replay of a closed month makes them
-- as well: its bill may be a new one.
DELETE FROM load_summary
USING current_load, load, month
WHERE load_summary.load_id = current_load.load_id AND load.load_id = current_load.load_id
  AND load.statement_month = month.statement_month;

INSERT INTO load_summary (load_id, dimension, name, currency, billed_cost, effective_cost)
SELECT load_id, dimension, coalesce(name, '(none)'), billing_currency, sum(line_class.billed_cost), sum(line_class.effective_cost)
FROM line_class
JOIN invoice USING (invoice_key)
JOIN current_load ON current_load.source = invoice.source AND current_load.billing_period = invoice.billing_period::date
CROSS JOIN LATERAL (VALUES ('service', service_name), ('account', coalesce(sub_account_id, billing_account_id))) AS part (dimension, name)
GROUP BY load_id, dimension, name, billing_currency;

INSERT INTO load_summary (load_id, dimension, name, currency, billed_cost, effective_cost)
SELECT load.load_id, 'cost centre', coalesce(cost_centre, 'unallocated: ' || reason), statement_currency,
       NULL, sum(minor_units) * ('1e-' || minor_unit_digits)::numeric
FROM statement_sum
JOIN month USING (statement_month)
JOIN invoice USING (invoice_key)
JOIN load ON load.source = invoice.source AND load.billing_period = invoice.billing_period::date
JOIN current_load ON current_load.load_id = load.load_id
WHERE line_type IN ('charge', 'unallocated')
GROUP BY load.load_id, coalesce(cost_centre, 'unallocated: ' || reason), statement_currency, minor_unit_digits;
