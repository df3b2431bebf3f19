-- The statement itself. As-of and run id come from the data, never from the clock (design 2): the latest delivery or job
-- snapshot, and a hash of everything that decided the result.
INSERT INTO statement (statement_month, status, run_id, as_of, kstar_version, statement_currency, minor_unit_digits)
WITH derived AS (
    SELECT coalesce(nullif(current_setting('kstar.as_of', true), '')::timestamptz,
                    greatest((SELECT max(covered_to) FROM load JOIN current_load USING (load_id)),
                             (SELECT max(horizon) FROM job_horizon)),
                    (SELECT month_end FROM month)) AS as_of
), inputs AS (
    SELECT string_agg(what, E'\n' ORDER BY what COLLATE "C") AS everything
    FROM (SELECT 'billing ' || source || ' ' || billing_period || ' ' || sha256 AS what
          FROM load JOIN current_load USING (load_id, source, billing_period) JOIN delivery USING (delivery_id, source)
          UNION ALL
          SELECT kind || ' ' || source || ' ' || label || ' ' || sha256 FROM delivery WHERE kind <> 'billing'
          UNION ALL
          SELECT 'reference ' || name || ' ' || sha256 FROM reference_file) AS input
)
SELECT statement_month, 'Preliminary',
       left(encode(sha256(convert_to(concat_ws(E'\n', statement_month, to_char(as_of, 'YYYY-MM-DD"T"HH24:MI:SS.USOF'),
                                               current_setting('kstar.version'), coalesce(everything, '')), 'UTF8')), 'hex'), 16),
       as_of, current_setting('kstar.version'), statement_currency, minor_unit_digits
FROM month CROSS JOIN derived CROSS JOIN inputs;
