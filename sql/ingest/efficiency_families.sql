-- All families in families.csv, in any time of validity.
SELECT DISTINCT family FROM family;
