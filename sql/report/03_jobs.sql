-- Fills the tables of report/00_session.sql for failed jobs and for the parts of each pool.
INSERT INTO report_failed_factor
SELECT statement_month, window_from, cost_centre, family, failed_attempts, productive_attempts, cancelled_attempts,
       failed_minor, productive_minor, cancelled_minor, factor, factor_from
FROM failed_run_factor
WHERE statement_month IN (current_setting('kstar.statement_month')::date,
                          (current_setting('kstar.statement_month')::date - interval '1 month')::date);

INSERT INTO report_failed_state
SELECT cost_centre, state, outcome, count(DISTINCT attempt_id), round(sum(node_hours::numeric), 6), sum(cost_minor)::bigint
FROM failed_run_attempt
WHERE statement_month = (SELECT current_setting('kstar.statement_month')::date)
GROUP BY cost_centre, state, outcome;

INSERT INTO report_pool_part
WITH part AS ( -- a pool has the same weights in every invoice
    SELECT pool, coalesce(job_result.cost_centre, shared_part.cost_centre) AS cost_centre, target <> 'cost centre' AND
           coalesce(job_result.cost_centre, shared_part.cost_centre) IS NULL AS is_nobody, invoice_key, max(shared_part.component) AS component,
           max(reason) AS reason, sum(weight) FILTER (WHERE closed_month IS NULL) AS weight, count(shared_part.attempt_id) AS on_jobs,
           sum(shared_part.effective_cost) FILTER (WHERE job_result.attempt_id IS NOT NULL) AS cost_on_jobs
    FROM shared_part
    LEFT JOIN job_result ON job_result.statement_month = shared_part.statement_month AND job_result.attempt_id = shared_part.attempt_id
    WHERE shared_part.statement_month = (SELECT current_setting('kstar.statement_month')::date) AND shared_kind = 'pool'
    GROUP BY 1, 2, 3, 4
), taken AS (
    SELECT pool, cost_centre, is_nobody, max(component) AS component, max(reason) AS reason, max(weight) AS weight, max(on_jobs) AS on_jobs
    FROM part
    GROUP BY pool, cost_centre, is_nobody
-- the cents of fixed overhead on jobs, of one cost centre ('': nobody) and invoice, are split among
-- the pools by largest remainder
), on_jobs AS (
    SELECT pool, payer,
           floor(exact) + floor(left_over / pools)
               + CASE WHEN turn <= left_over - pools * floor(left_over / pools) THEN 1 ELSE 0 END AS minor_units
    FROM (SELECT pool, payer, exact, count(*) OVER whole AS pools, handed_out - sum(floor(exact)) OVER whole AS left_over,
                 row_number() OVER (PARTITION BY payer, invoice_key ORDER BY exact - floor(exact) DESC, pool COLLATE "C") AS turn
          FROM (SELECT pool, coalesce(cost_centre, '') AS payer, invoice_key, sum(cost_on_jobs) * exchange_rate * 10::numeric ^ minor_unit_digits AS exact
                FROM part
                JOIN statement_invoice USING (invoice_key)
                JOIN statement USING (statement_month)
                WHERE cost_on_jobs IS NOT NULL AND statement_month = current_setting('kstar.statement_month')::date
                GROUP BY pool, cost_centre, invoice_key, exchange_rate, minor_unit_digits) AS summed
          JOIN (SELECT coalesce(cost_centre, '') AS payer, invoice_key, sum(minor_units) AS handed_out
                FROM statement_sum
                WHERE statement_month = current_setting('kstar.statement_month')::date AND block = 'invoice'
                  AND line_type IN ('charge', 'unallocated') AND component = 'fixed_overhead' AND is_of_attempts
                GROUP BY cost_centre, invoice_key) AS fixed USING (payer, invoice_key)
          WINDOW whole AS (PARTITION BY payer, invoice_key)) AS remainder
), handed_out AS (
    SELECT pool, payer, sum(minor_units)::bigint AS minor_units
    FROM (SELECT pool, coalesce(cost_centre, '') AS payer, minor_units
          FROM statement_sum
          WHERE statement_month = current_setting('kstar.statement_month')::date AND block = 'invoice'
            AND line_type IN ('charge', 'unallocated') AND pool IS NOT NULL AND component <> 'tax'
          UNION ALL
          SELECT pool, payer, minor_units FROM on_jobs) AS row
    GROUP BY pool, payer
)
SELECT dense_rank() OVER (ORDER BY taken.pool COLLATE "C"), taken.pool, component.title, taken.cost_centre,
       CASE WHEN is_nobody THEN coalesce(reason, 'job without cost centre') END,
       hours_or_weight, sum(hours_or_weight) OVER (PARTITION BY taken.pool), on_jobs,
       CASE WHEN NOT is_nobody THEN minor_units END, CASE WHEN is_nobody THEN minor_units END
FROM taken
LEFT JOIN handed_out ON handed_out.pool = taken.pool AND payer = coalesce(cost_centre, '')
LEFT JOIN component ON component.component = taken.component
LEFT JOIN LATERAL (SELECT basis FROM stated_pool
                   WHERE statement_month = current_setting('kstar.statement_month')::date AND stated_pool.pool = taken.pool
                     AND valid_from <= (statement_month + interval '1 month' - interval '1 day')::date
                     AND valid_to > (statement_month + interval '1 month' - interval '1 day')::date
                   ORDER BY valid_from DESC LIMIT 1) AS pool_of_month ON true
CROSS JOIN LATERAL (SELECT round(CASE WHEN basis IN ('node_hours', 'wall_hours') THEN weight / 3600 ELSE weight END, 6))
           AS shown (hours_or_weight);
