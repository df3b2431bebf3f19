-- Whether a month has a published statement.
SELECT 1 FROM statement WHERE statement_month = $1::date;
