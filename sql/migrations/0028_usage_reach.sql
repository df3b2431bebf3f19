-- How far a bill reaches, told alike for the close and for what budgets carry on to the month's end.

-- Whether a line tells that its source has delivered usage up to its end. Neither a month of support nor what was not used of a
-- commitment does, which stand to the month's end from the first day on; nor does a correction, which speaks of another time.
CREATE FUNCTION tells_reach(charge_category text, charge_class text, commitment_discount_status text, span interval) RETURNS boolean
LANGUAGE sql IMMUTABLE PARALLEL SAFE
RETURN charge_category = 'Usage' AND charge_class IS DISTINCT FROM 'Correction'
   AND commitment_discount_status IS DISTINCT FROM 'Unused' AND span <= interval '7 days';
