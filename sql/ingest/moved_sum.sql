-- Records the sum $2 of chunk $1, which holds what is left of another chunk.
UPDATE chunk SET lines_sum = $2::bytea WHERE chunk_id = $1::bigint AND lines_sum IS NULL;
