-- Whether this database can have roles of its own.
SELECT to_regclass('kstar.role_set') IS NOT NULL;
