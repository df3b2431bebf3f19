-- Which steps of the schema this database has had: one row each, written in the transaction that
-- applies them.
CREATE SCHEMA IF NOT EXISTS kstar;
CREATE TABLE kstar.schema_migration (
    number     integer PRIMARY KEY,  -- 1: the files of sql/schema
    name       text NOT NULL,        -- 'schema'; later 'added' of sql/migrations/0002_added.sql
    sha256     text NOT NULL,        -- of the step's text
    applied_at timestamptz NOT NULL DEFAULT now()
);
