-- Adds a row to production_run.
INSERT INTO production_run VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11::integer, $12::double precision);
