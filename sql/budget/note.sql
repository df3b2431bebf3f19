-- A night has said what is crossed. A row per crossing that none had said before.
UPDATE budget_alert SET noted = true
WHERE NOT noted
RETURNING cost_centre;
