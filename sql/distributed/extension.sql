-- Whether this database has the extension citus, and whether its server could create it.
SELECT EXISTS (SELECT FROM pg_extension WHERE extname = 'citus'),
       EXISTS (SELECT FROM pg_available_extensions WHERE name = 'citus');
