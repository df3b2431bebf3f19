-- What an hour of waiting was counted at in the judged jobs of the month and of the $1 months
-- before it.
SELECT upper(left(words, 1)) || substr(words, 2) || '.'
FROM (SELECT waiting_text(min(lowest_waiting_per_hour), max(highest_waiting_per_hour), min(statement_currency)) AS words
      FROM statement
      CROSS JOIN (SELECT current_setting('kstar.statement_month')::date AS last_month) AS book
      WHERE statement_month BETWEEN last_month - make_interval(months => $1::integer) AND last_month
        AND highest_waiting_per_hour IS NOT NULL) AS counted;
