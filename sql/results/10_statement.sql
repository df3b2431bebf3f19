-- The row of the statement itself, with its run id. The rates of waiting are those of jobs with a
-- K*.
INSERT INTO statement (statement_month, status, run_id, as_of, kstar_version, statement_currency, minor_unit_digits,
                       lowest_waiting_per_hour, highest_waiting_per_hour)
SELECT statement_month, 'Preliminary', statement_run_id(statement_month, current_setting('kstar.rules')),
       statement_as_of(statement_month), current_setting('kstar.version'), statement_currency, minor_unit_digits, lowest, highest
FROM month
CROSS JOIN (SELECT min(waiting_cost_per_hour), max(waiting_cost_per_hour)
            FROM job_cost
            JOIN job_verdict USING (attempt_id)
            WHERE k_star IS NOT NULL) AS waiting (lowest, highest);
