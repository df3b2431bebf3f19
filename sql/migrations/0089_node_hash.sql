-- Where a billed resource stands in the order in which lines and the time that jobs held are read, and on which server
-- its lines lie: resources of one node, whatever the letter case of their ids and with or without what stands before
-- the last '/', stand together. lower() makes a k of the Kelvin sign and an i of a capital I with a dot, in some
-- locales; so those two letters and all beyond ASCII are left out. The same as ingest/node_hash.c.
CREATE FUNCTION node_hash(resource_id text) RETURNS bigint
LANGUAGE sql IMMUTABLE PARALLEL SAFE
RETURN ('x' || encode(substr(sha256(convert_to(left(translate(regexp_replace(regexp_replace(resource_id, '^.*/', ''), '[^\u0001-\u007f]', '', 'g'),
                                                              'ABCDEFGHJLMNOPQRSTUVWXYZIiKk', 'abcdefghjlmnopqrstuvwxyz'), 256), 'UTF8')), 1, 8),
                      'hex'))::bit(64)::bigint;

-- Lines whose order and server were those of their resource's key cannot be moved.
DO $$
BEGIN
    IF EXISTS (SELECT FROM distributed_table) THEN
        RAISE EXCEPTION 'this database was distributed by an earlier kstar, which cut lines by another key'
            USING HINT = 'make a new one with kstar init --distributed, and run kstar nightly with the whole inbox into it';
    END IF;
END
$$;

-- Of a line without resource: the key of its tags, which may name a job; without tags, its chunk.
ALTER TABLE billing_line ADD COLUMN node_hash bigint;

UPDATE billing_line
SET node_hash = coalesce((SELECT node_hash(resource_id) FROM resource WHERE resource.resource_key = billing_line.resource_key),
                         billing_line.tag_set_key, chunk_id);

ALTER TABLE billing_line ALTER COLUMN node_hash SET NOT NULL;
