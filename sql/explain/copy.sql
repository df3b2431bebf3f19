-- The same as CSV.
COPY (SELECT * FROM asked) TO STDOUT (FORMAT csv, HEADER);
