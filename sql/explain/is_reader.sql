-- Whether the user may read the views alone (docs/security.md).
SELECT coalesce(NOT has_schema_privilege(kstar.oid, 'USAGE') AND has_schema_privilege(views.oid, 'USAGE'), false)
FROM (SELECT oid FROM pg_namespace WHERE nspname = 'kstar') AS kstar
CROSS JOIN (SELECT oid FROM pg_namespace WHERE nspname = 'kstar_views') AS views;
