-- The steps of the schema that this database has: one row for each, written in the transaction that
-- applies it.
CREATE SCHEMA IF NOT EXISTS kstar;
CREATE TABLE kstar.schema_migration (
    number     integer PRIMARY KEY,  -- 1: the files of sql/schema
    name       text NOT NULL,        -- 'schema'; later 'added' of sql/migrations/0002_added.sql
    sha256     text NOT NULL,        -- of the step's text
    applied_at timestamptz NOT NULL DEFAULT now()
);
