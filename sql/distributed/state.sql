-- Whether tables are distributed, and what the database already has.
SELECT EXISTS (SELECT FROM distributed_table) AS is_distributed,
       (SELECT count(*) FROM delivery)        AS deliveries,
       EXISTS (SELECT FROM role_set)          AS has_roles,
       current_database();
