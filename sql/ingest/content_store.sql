-- Adds up what the loads of delivery $1 have of each account, by file: the sums of their chunks,
-- and the rows that could not be read (account 0).
INSERT INTO load_content (load_id, file_id, account_key, billing_currency, money_rows, billed_cost, content)
SELECT load_id, file_id, account_key, billing_currency, sum(money_rows), sum(billed_cost), content_sum(content)
FROM (SELECT load_id, file_id, account_key, billing_currency, money_rows, billed_cost, content
      FROM load
      JOIN load_chunk USING (load_id, billing_period)
      JOIN chunk_content USING (chunk_id, billing_period)
      WHERE delivery_id = $1
      UNION ALL
      SELECT load_id, file_id, 0, coalesce(billing_currency, ''), (coalesce(nullif(billed_cost, 0), nullif(effective_cost, 0)) IS NOT NULL)::integer,
             coalesce(billed_cost, 0), quarantined_content(raw, reason)
      FROM load
      JOIN quarantined_row USING (delivery_id, billing_period)
      WHERE delivery_id = $1) AS part
GROUP BY load_id, file_id, account_key, billing_currency;
