-- Sheet "Purchases": how the hardware of each cost centre and family was bought, and the changes of
-- its prices.
SELECT purchase_no, cell_no, ahead, month, provider, sku, purchase, currency, share, change, weighted, agreed_change
FROM forecast_book, jsonb_to_recordset(content->'purchases') AS purchases_row (
       purchase_no integer, cell_no integer, ahead integer, month date, provider text, sku text, purchase text,
       currency text, share double precision, change double precision, weighted double precision,
       agreed_change double precision)
ORDER BY purchase_no;
