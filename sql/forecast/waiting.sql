-- What the statements of the months $1 to $2 counted an hour of waiting at, in words.
SELECT CASE WHEN max(waiting_per_hour) > 0
            THEN 'waiting counted at ' || min(statement_currency) || ' '
                 || concat_ws(' to ', CASE WHEN min(waiting_per_hour) < max(waiting_per_hour) THEN trim_scale(min(waiting_per_hour)::numeric) END,
                              trim_scale(max(waiting_per_hour)::numeric)) || ' an hour'
            ELSE 'waiting not counted' END
FROM job_result
JOIN statement USING (statement_month)
WHERE statement_month BETWEEN $1::date AND $2::date AND k_star IS NOT NULL;
