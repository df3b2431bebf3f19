-- The payers of parts, numbered in order ('': nobody), and the chunks that store.sql stores.
CREATE TEMP TABLE archive_owner ON COMMIT DROP AS
SELECT owner, row_number() OVER (ORDER BY owner COLLATE "C") AS owner_no
FROM (SELECT DISTINCT coalesce(cost_centre, '') AS owner FROM explained) AS paying;

CREATE TEMP TABLE archive_chunk (
    chunk     integer NOT NULL,
    owner_no  integer NOT NULL,
    row_count integer NOT NULL,
    attempts  text NOT NULL, -- "{1,2}"
    content   bytea NOT NULL
) ON COMMIT DROP;
