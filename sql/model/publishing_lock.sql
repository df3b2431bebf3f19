-- Takes the lock of publishing for the session, until publishing_unlock.sql or its end. A kstar
-- that was killed leaves a server process that gives up within a second or so (session.sql), so
-- this waits a little before it says that somebody else publishes.
SELECT pg_advisory_lock(hashtext('kstar'), hashtext('publish'));
