-- Sheet "Purchases": how the hardware of each cost centre and family was bought, and what changes of prices make of it.
SELECT cell_no, ahead, month, provider, sku, purchase, currency, share, change, weighted
FROM forecast_book, jsonb_to_recordset(content->'purchases') AS purchases_row (
       cell_no integer, ahead integer, month date, provider text, sku text, purchase text, currency text,
       share double precision, change double precision, weighted double precision)
ORDER BY cell_no, ahead, provider COLLATE "C" NULLS LAST, sku COLLATE "C", purchase COLLATE "C", currency COLLATE "C";
