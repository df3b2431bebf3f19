-- Whether kstar.schema_migration is there to be read.
SELECT to_regclass('kstar.schema_migration') IS NOT NULL;
