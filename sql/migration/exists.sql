-- Whether the table kstar.schema_migration exists.
SELECT to_regclass('kstar.schema_migration') IS NOT NULL;
