-- The statement itself: what it is of, and what decided it.
INSERT INTO statement (statement_month, status, run_id, as_of, kstar_version, statement_currency, minor_unit_digits)
SELECT statement_month, 'Preliminary', statement_run_id(statement_month, current_setting('kstar.rules')),
       statement_as_of(statement_month), current_setting('kstar.version'), statement_currency, minor_unit_digits
FROM month;
