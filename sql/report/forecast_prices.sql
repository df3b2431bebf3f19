-- Sheet "Inputs": changes of prices, and empty rows for more.
SELECT price_no, 'Change of prices ' || price_no AS label, change, from_month, provider, sku, purchase, currency
FROM forecast_book, jsonb_to_recordset(content->'prices') AS prices_row (
       price_no integer, change double precision, from_month date, provider text, sku text, purchase text, currency text)
ORDER BY price_no;
