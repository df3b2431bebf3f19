-- Sheet "About": the scenario as it would be written in one file, line by line.
SELECT line
FROM forecast_book, string_to_table(replace(content->>'content', E'\t', '   '), E'\n') WITH ORDINALITY AS list (line, place)
ORDER BY place;
