-- Which migrations this database has had: one row each, written in the migration's own transaction.
CREATE SCHEMA IF NOT EXISTS kstar;
CREATE TABLE IF NOT EXISTS kstar.schema_migration (
    number     integer PRIMARY KEY,
    name       text NOT NULL,        -- 'reference' of sql/migrations/0001_reference.sql
    sha256     text NOT NULL,        -- of the file
    applied_at timestamptz NOT NULL DEFAULT now()
);
