-- All cost centres that were ever declared: a scenario may name one that the history does not have.
SELECT DISTINCT cost_centre
FROM cost_centre;
