-- Opens a load of delivery $1 for the rest of each period whose lines have moved. The period's
-- quarantined rows stay with the rest, except those that the delivery brings again. Returns for
-- each load its number, its period, and the withdrawn lines with their money and their new periods.
WITH former AS (
    SELECT delivery_id, rest_of, source, statement_month, billing_period, lines, money, reappears_in
    FROM period_again
    JOIN load USING (load_id, billing_period)
    WHERE lines > 0
), opened AS (
    INSERT INTO load (delivery_id, source, billing_period, statement_month, row_count, rest_of)
    SELECT $1::integer, source, billing_period, statement_month, 0, coalesce(rest_of, delivery_id) FROM former
    RETURNING load_id, billing_period
), replaced AS (
    SELECT former.delivery_id, former.billing_period
    FROM load AS delivered
    JOIN current_load USING (source, billing_period)
    JOIN load AS former ON former.load_id = current_load.load_id
    WHERE delivered.delivery_id = $1::integer
), brought_row AS (
    SELECT column_name, reason, billed_cost, effective_cost, billing_currency, sum(more) AS rows
    FROM (SELECT column_name, reason, billed_cost, effective_cost, billing_currency, 1 AS more
          FROM quarantined_row
          WHERE delivery_id = $1::integer
          UNION ALL
          SELECT column_name, reason, billed_cost, effective_cost, billing_currency, -1
          FROM quarantined_row
          JOIN replaced USING (delivery_id, billing_period)) AS row
    GROUP BY column_name, reason, billed_cost, effective_cost, billing_currency
), standing_row AS (
    SELECT quarantined_row.*, row_number() OVER (PARTITION BY column_name, reason, billed_cost, effective_cost, billing_currency
                                              ORDER BY file_id, line_number) AS rank
    FROM quarantined_row
    JOIN former USING (delivery_id, billing_period)
), kept_row AS (
    INSERT INTO quarantined_row (delivery_id, file_id, line_number, column_name, reason, raw, billing_period, invoice_key, billed_cost, effective_cost,
                              billing_currency)
    SELECT $1::integer, file_id, line_number, column_name, reason, raw, billing_period, invoice_key, billed_cost, effective_cost, billing_currency
    FROM standing_row
    WHERE rank > coalesce((SELECT rows FROM brought_row
                           WHERE (brought_row.column_name, brought_row.reason, brought_row.billed_cost, brought_row.effective_cost,
                                  brought_row.billing_currency)
                                 IS NOT DISTINCT FROM (standing_row.column_name, standing_row.reason, standing_row.billed_cost,
                                                       standing_row.effective_cost, standing_row.billing_currency)), 0)
)
SELECT opened.load_id, to_char(billing_period, 'YYYY-MM-DD'), lines, money,
       (SELECT string_agg(to_char(place, 'YYYY-MM-DD'), ' ') FROM unnest(reappears_in) AS place)
FROM opened
JOIN former USING (billing_period)
ORDER BY billing_period;
