-- Whether the extension citus is made in this database, and whether its server has it to make.
SELECT EXISTS (SELECT FROM pg_extension WHERE extname = 'citus'),
       EXISTS (SELECT FROM pg_available_extensions WHERE name = 'citus');
