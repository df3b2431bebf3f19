-- A hold for moved lines was recognised by the words of its answers, and `kstar close --accept-awaiting` closed its
-- months without an answer. Now a column says what the hold asks.
ALTER TABLE held_delivery ADD COLUMN asks_if_moved boolean;
UPDATE held_delivery SET asks_if_moved = answers LIKE '%keep both:%';
ALTER TABLE held_delivery ALTER COLUMN asks_if_moved SET NOT NULL;
