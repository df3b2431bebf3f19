-- A night forgot each hold whose label was no place in its inbox: also of a delivery that was loaded by hand from elsewhere, and never lay there.
ALTER TABLE held_delivery ADD COLUMN inbox text; -- in which it lies, absolute; null: it was loaded by hand from elsewhere

UPDATE held_delivery
SET inbox = (SELECT inbox FROM run_ledger WHERE command = 'nightly' AND inbox IS NOT NULL ORDER BY run_number DESC LIMIT 1);
