-- What an hour of waiting was counted at in the judged jobs of the month and of the $1 months
-- before it.
SELECT upper(left(words, 1)) || substr(words, 2) || '.'
FROM (SELECT waiting_text(min(waiting_per_hour)::numeric, max(waiting_per_hour)::numeric, min(statement_currency)) AS words
      FROM job_result
      JOIN statement USING (statement_month)
      CROSS JOIN (SELECT current_setting('kstar.statement_month')::date AS last_month) AS book
      WHERE k_star IS NOT NULL AND statement_month BETWEEN last_month - make_interval(months => $1::integer) AND last_month) AS said;
