-- Every part that was asked for.
SELECT * FROM asked_in_order;
