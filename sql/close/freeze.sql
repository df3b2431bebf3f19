-- Closes the statement of month $1. $2 closes it; $3 is why incomplete data were accepted, or NULL.
WITH closed AS (
    INSERT INTO closure (statement_month, closed_by, accepted, facts_sha256)
    VALUES ($1::date, $2, $3, statement_facts($1::date))
    RETURNING statement_month
), loads AS (
    INSERT INTO closure_load (statement_month, load_id)
    SELECT statement_month, load_id
    FROM closed
    JOIN load USING (statement_month)
    JOIN current_load USING (load_id)
), files AS (
    INSERT INTO closure_file (statement_month, kind, path, sha256, bytes)
    SELECT statement_month, kind, path, sha256, bytes
    FROM closed
    JOIN used_file USING (statement_month)
)
UPDATE statement SET status = 'Final' WHERE statement_month = $1::date;
