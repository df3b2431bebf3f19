-- What the statements of the months $1 to $2 counted an hour of waiting at, in words.
SELECT waiting_text(min(waiting_per_hour)::numeric, max(waiting_per_hour)::numeric, min(statement_currency))
FROM job_result
JOIN statement USING (statement_month)
WHERE statement_month BETWEEN $1::date AND $2::date AND k_star IS NOT NULL;
