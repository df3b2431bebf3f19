-- Whether a month has a published statement.
SELECT true FROM statement WHERE statement_month = $1::date;
