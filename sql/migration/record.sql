INSERT INTO kstar.schema_migration (number, name, sha256) VALUES ($1::integer, $2, $3);
