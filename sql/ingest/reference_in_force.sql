-- Is the content $2 (SHA-256) of the reference file $1 already in force? One row if so.
SELECT name
FROM reference_file
WHERE name = $1 AND sha256 = $2;
