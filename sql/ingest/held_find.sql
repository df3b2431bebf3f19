-- What is held of source $1 under label $2.
SELECT reason, to_char(billing_period, 'YYYY-MM-DD'), sha256 FROM held_delivery WHERE source = $1 AND label = $2;
