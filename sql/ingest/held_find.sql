-- The hold of source $1 under label $2.
SELECT reason, array_to_string(billing_periods, ' '), answers, asks_if_moved, sha256 FROM held_delivery WHERE source = $1 AND label = $2;
