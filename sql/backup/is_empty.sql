-- Whether nobody has put anything into this database.
SELECT to_regnamespace('kstar') IS NULL AND to_regnamespace('kstar_views') IS NULL;
