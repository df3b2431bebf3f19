-- Ends the hold of source $1 under label $2: the delivery was accepted, replaced, or removed from
-- the inbox.
DELETE FROM held_delivery WHERE source = $1 AND label = $2;
