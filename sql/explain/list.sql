-- Every part that was asked for, for JSON. A cursor, as there may be millions.
DECLARE asked_parts NO SCROLL CURSOR FOR
SELECT * FROM asked_in_order;
