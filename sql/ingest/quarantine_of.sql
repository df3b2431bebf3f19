-- Whether there is a delivery at all of which quarantine.sql is asked: of source $1, number $2,
-- load $3; NULL: any.
SELECT EXISTS (SELECT
               FROM delivery
               WHERE ($1::text IS NULL OR source = $1) AND ($2::integer IS NULL OR delivery_id = $2::integer)
                 AND ($3::integer IS NULL OR delivery_id IN (SELECT delivery_id FROM load WHERE load_id = $3::integer)));
