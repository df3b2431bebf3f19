-- The held deliveries of the inbox $1.
SELECT source, label FROM held_delivery WHERE inbox = $1 ORDER BY source, label;
