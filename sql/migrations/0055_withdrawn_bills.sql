-- A month whose bills were all withdrawn has none, and is open no longer: its statement of nothing was published night after night, was taken
-- for the last month, and could be neither closed nor pruned.

-- The months that have a bill and are not closed. A bill without a row was withdrawn.
CREATE OR REPLACE VIEW open_month AS
SELECT DISTINCT statement_month
FROM load
JOIN current_load USING (load_id)
JOIN delivery USING (delivery_id)
WHERE (load.row_count > 0 OR rejected_rows > 0)
  AND statement_month NOT IN (SELECT statement_month FROM closure);
