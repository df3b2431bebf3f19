-- Whether this transaction has made partition $1, and lines are stored on this server.
SELECT EXISTS (SELECT FROM pg_class
               WHERE oid = to_regclass('kstar.' || quote_ident($1)) AND xmin = pg_current_xact_id()::xid)
       AND NOT EXISTS (SELECT FROM distributed_table);
