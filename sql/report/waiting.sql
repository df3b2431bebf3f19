-- What an hour of waiting was counted at in the judged jobs of the month and of the $1 months
-- before it.
SELECT upper(left(words, 1)) || substr(words, 2) || '.'
FROM (SELECT waiting_text(min(lowest)::numeric, max(highest)::numeric, min(statement_currency)) AS words
      FROM statement
      -- month by month: a join would read the results of all years
      CROSS JOIN LATERAL (SELECT min(waiting_per_hour), max(waiting_per_hour)
                          FROM job_result
                          WHERE job_result.statement_month = statement.statement_month AND k_star IS NOT NULL) AS waiting (lowest, highest)
      CROSS JOIN (SELECT current_setting('kstar.statement_month')::date AS last_month) AS book
      WHERE statement_month BETWEEN last_month - make_interval(months => $1::integer) AND last_month AND highest IS NOT NULL) AS said;
