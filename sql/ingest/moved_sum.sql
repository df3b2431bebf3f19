-- Records the sum $2 of chunk $1, which was made of what is left of another one.
UPDATE chunk SET lines_sum = $2::bytea WHERE chunk_id = $1::bigint AND lines_sum IS NULL;
