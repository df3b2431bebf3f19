-- The dimension rows of a delivery (ingest/bill/dimension.c): the number of the dimension, as in
-- its enum, the key, and the texts in the order of the dimension's columns. A row may come more
-- than once.
CREATE TEMP TABLE staged_dimension (
    dimension     smallint NOT NULL,
    dimension_key bigint   NOT NULL,
    texts         text[]   NOT NULL
) ON COMMIT DROP;
