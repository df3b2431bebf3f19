-- Nodes of attempts are stored from the attempts' own rows: to look each of them up once more took longer than to store it, and an index
-- that nobody reads as long again. An attempt is never removed.
ALTER TABLE job_node DROP CONSTRAINT job_node_attempt_id_fkey;
DROP INDEX job_node_by_node;
