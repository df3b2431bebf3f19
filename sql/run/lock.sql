-- Takes the lock of run $1 again, in a session that was opened anew.
SELECT pg_advisory_lock(hashtext('kstar run'), $1::integer);
