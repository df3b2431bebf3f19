-- Whether there is any delivery of source $1, with number $2 and load $3, for which quarantine.sql
-- can be asked. NULL: any.
SELECT EXISTS (SELECT
               FROM delivery
               WHERE ($1::text IS NULL OR source = $1) AND ($2::integer IS NULL OR delivery_id = $2::integer)
                 AND ($3::integer IS NULL OR delivery_id IN (SELECT delivery_id FROM load WHERE load_id = $3::integer)));
