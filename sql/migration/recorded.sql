SELECT number, name, sha256 FROM kstar.schema_migration ORDER BY number;
