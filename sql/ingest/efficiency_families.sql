-- Every family that families.csv has or had.
SELECT DISTINCT family FROM family;
