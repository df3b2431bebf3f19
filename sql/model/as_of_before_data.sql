-- What the data themselves are as of, where that is later than $1; kstar.as_of is not set. No row:
-- it is not later, or there are none.
SELECT to_char(data_as_of, 'YYYY-MM-DD"T"HH24:MI:SS"Z"')
FROM (SELECT statement_as_of(NULL) AS data_as_of) AS own
WHERE data_as_of > $1::timestamptz;
