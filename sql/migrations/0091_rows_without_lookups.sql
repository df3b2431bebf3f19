-- A statement of 500,000 rows asked for the component of each of them, one by one, and that took half of the time that
-- it takes to write them. The proof asks for all of them at once (allocate/22_prove.sql).
ALTER TABLE statement_row DROP CONSTRAINT statement_row_component_fkey;
