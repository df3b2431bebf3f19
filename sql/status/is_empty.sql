-- Whether nothing was ever published here.
SELECT NOT EXISTS (SELECT FROM statement);
