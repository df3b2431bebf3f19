-- What a closed month is made of, as it was closed: job records and the inventory change in place, and lines go with
-- kstar prune. The rows of kstar explain as CSV without its heading, gzip, in pieces of one cost centre each (docs/explain.md).
CREATE TABLE closed_part (
    statement_month date NOT NULL REFERENCES closure,
    piece           integer NOT NULL,
    cost_centre     text NOT NULL,      -- who pays for its rows; '': nobody's own (pools, tax, unallocated)
    row_count       integer NOT NULL,
    attempts        integer[] NOT NULL, -- the lower 32 bits of each attempt_id in it: which pieces may have a job
    content_sha256  bytea NOT NULL,
    content         bytea NOT NULL,
    PRIMARY KEY (statement_month, piece)
);
ALTER TABLE closed_part ALTER content SET STORAGE EXTERNAL; -- compressed already

-- Of the content_sha256 of its pieces, one behind the other; null: closed before parts were archived.
ALTER TABLE closure ADD COLUMN parts_sha256 text;

-- Columns as migration 0041 has them, whose as the views of migration 0049.
CREATE VIEW kstar_views.report_closed_part WITH (security_barrier) AS
SELECT statement_month, as_shown(piece)::integer AS piece, as_shown(published.cost_centre)::text AS cost_centre,
       as_shown(row_count)::integer AS row_count, as_shown(content)::bytea AS content
FROM (SELECT statement_month, piece, cost_centre, row_count, content FROM closed_part) AS published
WHERE '*' = ANY (ARRAY(SELECT seen.cost_centre FROM kstar.seen_cost_centre AS seen))
   OR published.cost_centre = ANY (ARRAY(SELECT seen.cost_centre FROM kstar.seen_cost_centre AS seen));
