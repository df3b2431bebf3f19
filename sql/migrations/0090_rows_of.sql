-- What is asked of one month and one cost centre is found by an index, not among everybody's.
CREATE INDEX job_result_cost_centre ON job_result (statement_month, cost_centre);

-- The rows of a statement: of everybody, or those of a cost centre.
CREATE FUNCTION rows_of(of_month date, of_centre text) RETURNS SETOF statement_row
LANGUAGE sql STABLE
BEGIN ATOMIC
    SELECT * FROM statement_row WHERE statement_month = of_month AND of_centre IS NULL
    UNION ALL
    SELECT * FROM statement_row WHERE statement_month = of_month AND cost_centre = of_centre;
END;
