-- The cost of an hour of waiting in the statements of the months $1 to $2, in words.
SELECT waiting_text(min(lowest_waiting_per_hour), max(highest_waiting_per_hour), min(statement_currency))
FROM statement
WHERE statement_month BETWEEN $1::date AND $2::date;
