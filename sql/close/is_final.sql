-- Whether the statement of month $1 is closed.
SELECT EXISTS (SELECT FROM closure WHERE statement_month = $1::date);
