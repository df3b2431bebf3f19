-- Makes room for left_chunk: the chunks that lose their last load when others become current (billing_load_current.sql).
CREATE TEMP TABLE left_chunk (
    chunk_id       bigint NOT NULL,
    billing_period date NOT NULL
) ON COMMIT DROP;

-- What has just come: the plans of what follows, and of whoever reads the lines, depend on how much it is.
ANALYZE chunk, load_chunk;
