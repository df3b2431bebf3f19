-- What load $1 holds: rows, and the time that its Usage lines cover.
UPDATE load SET row_count = $2, covered_from = $3, covered_to = $4 WHERE load_id = $1;
