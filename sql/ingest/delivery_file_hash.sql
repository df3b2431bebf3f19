-- The SHA-256 of file $1.
UPDATE source_file SET sha256 = $2 WHERE file_id = $1;
