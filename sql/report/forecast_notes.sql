-- Sheet "Back-test": what is to be known of the forecast.
SELECT note
FROM forecast_book, jsonb_array_elements_text(content->'notes') WITH ORDINALITY AS list (note, place)
ORDER BY place;
