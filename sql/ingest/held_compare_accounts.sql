-- Why load $1 of billing period $2 is held, which would replace a load of another label: the
-- sub-accounts that both name had less of the earlier bill than the setting held_below_share. So
-- this is the bill of another account, not a later export of the same bill. If not both loads name
-- sub-accounts, billing accounts and invoices are compared instead. No row: the load is not held.
WITH incoming AS (
    SELECT load.*, label FROM load JOIN delivery USING (delivery_id) WHERE load_id = $1
), former AS (
    SELECT load.load_id, delivery.label
    FROM incoming
    JOIN current_load USING (source, billing_period)
    JOIN load ON load.load_id = current_load.load_id
    JOIN delivery ON delivery.delivery_id = load.delivery_id
), rule AS (
    SELECT coalesce((SELECT value::numeric FROM setting WHERE parameter = 'held_below_share'
                       AND valid_from <= incoming.billing_period AND incoming.billing_period < valid_to), 0.5) AS below_share
    FROM incoming
), amount AS MATERIALIZED (
    SELECT load_id, account_key, invoice_key, sum(billed_cost) AS billed
    FROM load_chunk
    JOIN billing_line USING (chunk_id, billing_period)
    WHERE billing_period = $2::date AND load_id IN ($1, (SELECT load_id FROM former))
    GROUP BY load_id, account_key, invoice_key
), named AS ( -- '': no account; letter case differs between exports
    SELECT position, word, load_id = $1 AS is_incoming, coalesce(lower(name), '') AS name, min(name COLLATE "C") AS written,
           billing_currency, sum(billed) AS billed
    FROM amount
    JOIN invoice USING (invoice_key)
    LEFT JOIN account USING (account_key)
    CROSS JOIN LATERAL (VALUES (1, 'sub-account', sub_account_id), (2, 'billing account', billing_account_id), (3, 'invoice', invoice_id))
        AS column_of (position, word, name)
    GROUP BY 1, 2, 3, 4, billing_currency
), comparable AS (
    SELECT position FROM named WHERE name <> '' GROUP BY position HAVING count(DISTINCT is_incoming) = 2
), deciding AS (
    SELECT position FROM comparable WHERE position = 1 OR NOT EXISTS (SELECT position FROM comparable WHERE position = 1)
), before AS (
    SELECT *, EXISTS (SELECT again.name FROM named AS again
                      WHERE again.is_incoming AND again.position = named.position AND again.name = named.name) AS is_kept
    FROM named
    JOIN deciding USING (position)
    WHERE NOT is_incoming
), other_bill AS (
    SELECT position, billing_currency
    FROM before
    CROSS JOIN rule
    GROUP BY position, billing_currency, below_share
    HAVING coalesce(sum(abs(billed)) FILTER (WHERE is_kept), 0) < sum(abs(billed)) * below_share
)
SELECT format('it would take the place of %s, and bills nothing of %s %s, which had %s %s there; if both count, give this one a source of its own',
              former.label, word, written, billing_currency, trim_scale(billed)), $2::text
FROM other_bill
JOIN before USING (position, billing_currency)
CROSS JOIN former
WHERE NOT is_kept AND name <> ''
ORDER BY position, abs(billed) DESC, written COLLATE "C"
LIMIT 1;
