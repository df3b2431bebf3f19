-- Sheet "Back-test": notes that a reader of the forecast should know.
SELECT note
FROM forecast_book, jsonb_array_elements_text(content->'notes') WITH ORDINALITY AS list (note, place)
ORDER BY place;
