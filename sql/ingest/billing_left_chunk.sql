-- Where the chunks are gathered that no load will have once others are current (billing_load_left.sql).
CREATE TEMP TABLE left_chunk (
    chunk_id       bigint NOT NULL,
    billing_period date NOT NULL
) ON COMMIT DROP;
