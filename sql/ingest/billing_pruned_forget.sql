-- Deletes load $1, which has nothing left.
DELETE FROM load WHERE load_id = $1;
