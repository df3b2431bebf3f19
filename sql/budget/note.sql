-- A night has reported all crossings. Returns a row for each that no night had reported before.
UPDATE budget_alert SET noted = true
WHERE NOT noted
RETURNING cost_centre;
