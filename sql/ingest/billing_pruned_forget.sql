-- Forgets load $1, of which nothing is left.
DELETE FROM load WHERE load_id = $1;
