-- Whether the content $2 (SHA-256) of the reference file $1 is already in force.
SELECT true
FROM reference_file
WHERE name = $1 AND sha256 = $2;
