-- Every part that was asked for, as CSV.
COPY (SELECT * FROM asked_in_order) TO STDOUT (FORMAT csv, HEADER);
