-- The hold of source $1 under label $2 is over: it was accepted, or another delivery took its
-- place.
DELETE FROM held_delivery WHERE source = $1 AND label = $2;
