SELECT pg_advisory_unlock(1802724722, 1);
