-- Takes the lock of publishing for the session, until publishing_unlock.sql or its end. The server
-- process of a killed kstar gives up within a second or so (session.sql), so kstar waits a little
-- before it reports that somebody else publishes.
SELECT pg_advisory_lock(hashtext('kstar'), hashtext('publish'));
