-- Replaces the tables of the staged files by their content. If the rows of a table come from
-- several files (declared_in), only those of the staged file are replaced. jsonb_populate_record
-- turns the text of each field into the type of its column. CHECKs and keys of the tables are a
-- second guard after the checks made before.
DO $$
DECLARE
    staged record;
BEGIN
    FOR staged IN SELECT file, table_name FROM staged_reference_file ORDER BY file LOOP
        EXECUTE format('DELETE FROM kstar.%1$I AS known WHERE coalesce(to_jsonb(known) ->> ''declared_in'', %2$L) = %2$L',
                       staged.table_name, staged.file);
        EXECUTE format('INSERT INTO kstar.%1$I
                        SELECT row_of_table.*
                        FROM staged_reference,
                             jsonb_populate_record(NULL::kstar.%1$I, record) AS row_of_table
                        WHERE file = %2$L
                        ORDER BY line', staged.table_name, staged.file);
    END LOOP;
END
$$;

INSERT INTO reference_file (name, sha256)
SELECT file, sha256
FROM staged_reference_file
ON CONFLICT (name) DO UPDATE SET sha256 = excluded.sha256;
