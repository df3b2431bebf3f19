-- The cost centres that are declared, whenever: what a scenario may name before the history has it.
SELECT DISTINCT cost_centre
FROM cost_centre;
