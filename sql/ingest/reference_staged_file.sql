-- A reference file that has been staged: name, table, path as given, SHA-256.
INSERT INTO staged_reference_file (file, table_name, path, sha256) VALUES ($1, $2, $3, $4);
