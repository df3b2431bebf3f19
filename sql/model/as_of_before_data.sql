-- The end of the data, if it is later than $1. kstar.as_of is not set, so statement_as_of looks at
-- the data. No row: the end is not later, or there are no data.
SELECT to_char(data_as_of, 'YYYY-MM-DD"T"HH24:MI:SS"Z"')
FROM (SELECT statement_as_of(NULL) AS data_as_of) AS own
WHERE data_as_of > $1::timestamptz;
