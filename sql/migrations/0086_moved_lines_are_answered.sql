-- A hold for moved lines was told by the words of its answers, and `kstar close --accept-awaiting` let its months be closed without one. Now the hold
-- says itself what it asks.
ALTER TABLE held_delivery ADD COLUMN asks_if_moved boolean;
UPDATE held_delivery SET asks_if_moved = answers LIKE '%keep both:%';
ALTER TABLE held_delivery ALTER COLUMN asks_if_moved SET NOT NULL;
