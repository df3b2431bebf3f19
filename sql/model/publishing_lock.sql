-- Takes the lock of publishing until the transaction ends. A kstar that was killed leaves a server process that gives up
-- within a second or so (session.sql), so this waits a little before it says that somebody else publishes.
SELECT pg_advisory_xact_lock(hashtext('kstar'), hashtext('publish'));
