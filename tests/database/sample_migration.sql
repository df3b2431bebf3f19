-- A migration of no release, for the tests of migrations: a table, a column of a table that is
-- there, and a row.
CREATE TABLE sample (
    name text PRIMARY KEY
);
INSERT INTO sample (name) VALUES ('first');

ALTER TABLE finding ADD COLUMN sample text;
