-- The views for readers and BI tools (docs/views.md). Their owner is a role that does not own the
-- tables, so row-level security applies below them. A reader's own conditions are evaluated after
-- it and after the view (security_barrier). A restore may change the owner (pg_restore --no-owner),
-- so each view also checks once for each query what the reader may see. Every column but the month
-- goes through as_shown; the month is not secret, and a condition on it keeps a query short.
-- Nothing depends on the time zone of the session.

CREATE SCHEMA IF NOT EXISTS kstar_views;

-- A row per published month; every reader sees all of them.
CREATE VIEW kstar_views.report_month WITH (security_barrier) AS
SELECT statement_month, status, statement_currency, minor_unit_digits, as_of, run_id, kstar_version
FROM statement;

-- A row per month and cost centre of cost_centres.csv on the month's last day.
CREATE VIEW kstar_views.report_cost_centre WITH (security_barrier) AS
SELECT statement_month, as_shown(cost_centre) AS cost_centre, as_shown(name) AS name,
       as_shown(gl_account) AS gl_account, as_shown(owner) AS owner
FROM (
    SELECT statement_month, declared.cost_centre, declared.name, declared.gl_account, declared.owner
    FROM (SELECT statement_month, (jsonb_populate_record(NULL::cost_centre, content)).*
          FROM frozen_reference
          WHERE table_name = 'cost_centre'
          UNION ALL
          SELECT statement_month, cost_centre.*
          FROM statement CROSS JOIN cost_centre
          WHERE status = 'Preliminary') AS declared
    WHERE valid_from <= (statement_month + interval '1 month')::date - 1 AND valid_to > (statement_month + interval '1 month')::date - 1
) AS published
WHERE '*' = ANY (ARRAY(SELECT seen.cost_centre FROM kstar.seen_cost_centre AS seen))
   OR published.cost_centre = ANY (ARRAY(SELECT seen.cost_centre FROM kstar.seen_cost_centre AS seen));

-- A row per section, invoice, cost centre, component and subject: the Statement sheet.
CREATE VIEW kstar_views.report_statement WITH (security_barrier) AS
SELECT statement_month, as_shown(status) AS status, as_shown(section) AS section, as_shown(cost_centre) AS cost_centre,
       as_shown(cost_centre_name) AS cost_centre_name, as_shown(component) AS component,
       as_shown(component_title) AS component_title, as_shown(component_position) AS component_position,
       as_shown(on_job) AS on_job, as_shown(subject) AS subject, as_shown(gl_account) AS gl_account,
       as_shown(source) AS source, as_shown(invoice_issuer_name) AS invoice_issuer_name,
       as_shown(invoice_id) AS invoice_id, as_shown(statement_currency) AS statement_currency,
       as_shown(amount) AS amount, as_shown(minor_units) AS minor_units
FROM (
    WITH placed AS (
        SELECT CASE
                   WHEN block = 'invoice' AND line_type = 'charge'      THEN 'charged'
                   WHEN block = 'invoice' AND line_type = 'prepaid'     THEN 'prepaid balance change'
                   -- unallocated, balance sheet, unexplained
                   WHEN block = 'invoice'                               THEN line_type
                   WHEN line_type = 'charge' AND is_of_attempts         THEN 'internal: charged'
                   WHEN line_type = 'unallocated'                       THEN 'internal: unallocated'
                   ELSE 'internal: credit of the carrier'
               END AS section,
               statement_sum.*
        FROM statement_sum
    ), added AS (
        SELECT statement_month, section, invoice_key, cost_centre, CASE WHEN section = 'charged' OR block <> 'invoice' THEN component END AS component,
               CASE section
                   WHEN 'unallocated'                         THEN coalesce(reason, '(no reason given)')
                   WHEN 'balance sheet'                       THEN row_key
                   WHEN 'prepaid balance change'                    THEN row_key
                   WHEN 'unexplained'                         THEN coalesce(reason || ': ', '') || row_key
                   WHEN 'internal: unallocated'           THEN reason
                   WHEN 'internal: credit of the carrier' THEN coalesce(pool, row_key)
               END AS subject,
               gl_account, is_of_attempts AS on_job, sum(minor_units)::bigint AS minor_units
        FROM placed
        GROUP BY 1, 2, 3, 4, 5, 6, 7, 8
    )
    SELECT statement_month, status, section, added.cost_centre, centre.name AS cost_centre_name, component, title AS component_title,
           position AS component_position, added.on_job, subject, coalesce(added.gl_account, centre.gl_account) AS gl_account, source, invoice_issuer_name,
           invoice_id, statement_currency, minor_amount(added.minor_units, minor_unit_digits) AS amount, added.minor_units
    FROM added
    JOIN statement USING (statement_month)
    LEFT JOIN component USING (component)
    LEFT JOIN statement_invoice USING (statement_month, invoice_key)
    LEFT JOIN kstar_views.report_cost_centre AS centre USING (statement_month, cost_centre)
) AS published
WHERE '*' = ANY (ARRAY(SELECT seen.cost_centre FROM kstar.seen_cost_centre AS seen))
   OR published.cost_centre = ANY (ARRAY(SELECT seen.cost_centre FROM kstar.seen_cost_centre AS seen));

-- A row per invoice, cost centre and line type; an invoice's rows add up to its amount.
CREATE VIEW kstar_views.report_invoice WITH (security_barrier) AS
SELECT statement_month, as_shown(status) AS status, as_shown(source) AS source,
       as_shown(invoice_issuer_name) AS invoice_issuer_name, as_shown(invoice_id) AS invoice_id,
       as_shown(billing_currency) AS billing_currency, as_shown(exchange_rate) AS exchange_rate,
       as_shown(rate_date) AS rate_date, as_shown(cost_centre) AS cost_centre, as_shown(line_type) AS line_type,
       as_shown(statement_currency) AS statement_currency, as_shown(amount) AS amount,
       as_shown(minor_units) AS minor_units
FROM (
    SELECT statement_month, status, source, invoice_issuer_name, invoice_id, billing_currency, exchange_rate, rate_date, cost_centre, line_type,
           statement_currency, minor_amount(sum(statement_sum.minor_units)::bigint, minor_unit_digits) AS amount,
           sum(statement_sum.minor_units)::bigint AS minor_units
    FROM statement_sum
    JOIN statement USING (statement_month)
    JOIN statement_invoice USING (statement_month, invoice_key)
    WHERE block = 'invoice'
    GROUP BY statement_month, status, invoice_key, source, invoice_issuer_name, invoice_id, billing_currency, exchange_rate, rate_date, cost_centre,
             line_type, statement_currency, minor_unit_digits
) AS published
WHERE '*' = ANY (ARRAY(SELECT seen.cost_centre FROM kstar.seen_cost_centre AS seen))
   OR published.cost_centre = ANY (ARRAY(SELECT seen.cost_centre FROM kstar.seen_cost_centre AS seen));

-- A row per month and attempt: the Jobs sheet.
CREATE VIEW kstar_views.report_job WITH (security_barrier) AS
SELECT statement_month, as_shown(status) AS status, as_shown(cost_centre) AS cost_centre, as_shown(cluster) AS cluster, as_shown(job_id) AS job_id,
       as_shown(attempt_mark) AS attempt_mark, as_shown(run_group) AS run_group, as_shown(job_name) AS job_name, as_shown(user_name) AS user_name,
       as_shown(account) AS account, as_shown(family) AS family, as_shown(state) AS state, as_shown(outcome) AS outcome,
       as_shown(provisional) AS provisional, as_shown(start_time) AS start_time, as_shown(end_time) AS end_time, as_shown(k) AS k,
       as_shown(node_hours) AS node_hours, as_shown(wall_hours) AS wall_hours, as_shown(job_hours) AS job_hours,
       as_shown(unpriced_node_hours) AS unpriced_node_hours, as_shown(price_per_node_hour) AS price_per_node_hour,
       as_shown(efficiency)::numeric(15,12) AS efficiency, as_shown(efficiency_from) AS efficiency_from,
       as_shown(statement_currency) AS statement_currency, as_shown(useful_compute) AS useful_compute,
       as_shown(coordination_waste) AS coordination_waste, as_shown(unmeasured_hardware) AS unmeasured_hardware,
       as_shown(failed_runs) AS failed_runs, as_shown(cancelled) AS cancelled, as_shown(cloud_fees) AS cloud_fees,
       as_shown(fixed_overhead) AS fixed_overhead,
       as_shown(internal_overhead) AS internal_overhead, as_shown(engineering_overhead) AS engineering_overhead,
       as_shown(true_cost) AS true_cost, as_shown(true_cost_minor) AS true_cost_minor, as_shown(verdict) AS verdict,
       as_shown(verdict_reason) AS verdict_reason, as_shown(low_confidence) AS low_confidence, as_shown(k_star) AS k_star,
       as_shown(k_star_interval) AS k_star_interval, as_shown(k_fastest) AS k_fastest, as_shown(excess) AS excess,
       as_shown(cash_saving) AS cash_saving, as_shown(freed_capacity) AS freed_capacity, as_shown(job_hours_at_k_star) AS job_hours_at_k_star,
       as_shown(deadline_hours) AS deadline_hours, as_shown(waiver) AS waiver, as_shown(next_measurement) AS next_measurement, as_shown(kwh) AS kwh,
       as_shown(kg_co2e) AS kg_co2e, as_shown(overhead_per_node_hour) AS overhead_per_node_hour,
       as_shown(fixed_per_wall_hour) AS fixed_per_wall_hour, as_shown(waiting_per_hour) AS waiting_per_hour,
       as_shown(k_least_money) AS k_least_money, as_shown(k_with_waiting) AS k_with_waiting, as_shown(others_overhead) AS others_overhead,
       as_shown(attainable) AS attainable, as_shown(excess_low) AS excess_low, as_shown(excess_high) AS excess_high
FROM (
    SELECT statement_month, status, result.cost_centre, job.cluster, job.job_id, job.attempt_mark, job.run_group, job.job_name, job.user_name,
           job.account, result.family, coalesce(result.state_text, job.state_text) AS state, result.outcome, result.provisional, result.start_time,
           result.end_time, result.k, result.node_hours, result.wall_hours, result.job_hours, result.unpriced_node_hours,
           result.price_per_node_hour, result.efficiency, result.efficiency_from, statement_currency,
           minor_amount(useful_compute_minor, minor_unit_digits)          AS useful_compute,
           minor_amount(coordination_waste_minor, minor_unit_digits)      AS coordination_waste,
           minor_amount(unmeasured_hardware_minor, minor_unit_digits)     AS unmeasured_hardware,
           minor_amount(failed_runs_minor, minor_unit_digits)             AS failed_runs,
           minor_amount(cancelled_minor, minor_unit_digits)               AS cancelled,
           minor_amount(cloud_fees_minor, minor_unit_digits)              AS cloud_fees,
           minor_amount(fixed_overhead_minor, minor_unit_digits)          AS fixed_overhead,
           minor_amount(internal_overhead_minor, minor_unit_digits) AS internal_overhead,
           minor_amount(engineering_overhead_minor, minor_unit_digits)    AS engineering_overhead,
           minor_amount(true_cost_minor, minor_unit_digits)               AS true_cost,
           true_cost_minor, verdict, verdict_reason, low_confidence, k_star, k_star_interval, k_fastest,
           -- The money of flags is shown for flagged jobs only, as on the sheet Jobs.
           CASE WHEN is_flag(verdict) THEN minor_amount(excess_minor, minor_unit_digits) END          AS excess,
           CASE WHEN is_flag(verdict) THEN minor_amount(cash_saving_minor, minor_unit_digits) END     AS cash_saving,
           CASE WHEN is_flag(verdict) THEN minor_amount(freed_capacity_minor, minor_unit_digits) END  AS freed_capacity,
           CASE WHEN is_flag(verdict) THEN minor_amount(others_overhead_minor, minor_unit_digits) END AS others_overhead,
           minor_amount(excess_low_minor, minor_unit_digits)  AS excess_low,
           minor_amount(excess_high_minor, minor_unit_digits) AS excess_high,
           CASE WHEN is_flag(verdict) THEN is_attainable END AS attainable,
           job_hours_at_k_star, deadline_hours, waiver, next_measurement, kwh, kg_co2e, overhead_per_node_hour, fixed_per_wall_hour,
           waiting_per_hour, k_least_money, k_with_waiting
    FROM job_result AS result
    JOIN statement USING (statement_month)
    JOIN job USING (attempt_id)
    LEFT JOIN (SELECT statement_month, attempt_id, kwh, kg_co2e FROM job_energy) AS energy USING (statement_month, attempt_id)
) AS published
WHERE '*' = ANY (ARRAY(SELECT seen.cost_centre FROM kstar.seen_cost_centre AS seen))
   OR published.cost_centre = ANY (ARRAY(SELECT seen.cost_centre FROM kstar.seen_cost_centre AS seen));

-- A row per cost centre, component and pool: what idle nodes and unused commitments cost.
CREATE VIEW kstar_views.report_idle WITH (security_barrier) AS
SELECT statement_month, as_shown(status) AS status, as_shown(cost_centre) AS cost_centre,
       as_shown(component) AS component, as_shown(pool) AS pool, as_shown(statement_currency) AS statement_currency,
       as_shown(amount) AS amount, as_shown(minor_units) AS minor_units
FROM (
    SELECT statement_month, status, cost_centre, component, coalesce(pool, row_key) AS pool, statement_currency,
           minor_amount(sum(minor_units)::bigint, minor_unit_digits) AS amount, sum(minor_units)::bigint AS minor_units
    FROM statement_sum
    JOIN statement USING (statement_month)
    WHERE block = 'invoice' AND line_type = 'charge' AND component IN ('idle', 'unused_commitments')
    GROUP BY statement_month, status, cost_centre, component, coalesce(pool, row_key), statement_currency, minor_unit_digits
) AS published
WHERE '*' = ANY (ARRAY(SELECT seen.cost_centre FROM kstar.seen_cost_centre AS seen))
   OR published.cost_centre = ANY (ARRAY(SELECT seen.cost_centre FROM kstar.seen_cost_centre AS seen));

-- A row per adjustment of a closed month in the statement.
CREATE VIEW kstar_views.report_adjustment WITH (security_barrier) AS
SELECT statement_month, as_shown(status) AS status, as_shown(adjusted_month) AS adjusted_month,
       as_shown(source) AS source, as_shown(line_type) AS line_type, as_shown(cost_centre) AS cost_centre,
       as_shown(component) AS component, as_shown(subject) AS subject, as_shown(gl_account) AS gl_account,
       as_shown(statement_currency) AS statement_currency, as_shown(closed_amount) AS closed_amount,
       as_shown(adjusted_amount) AS adjusted_amount, as_shown(replayed_amount) AS replayed_amount,
       as_shown(amount) AS amount, as_shown(minor_units) AS minor_units
FROM (
    SELECT statement_month, status, adjusted_month, source, line_type, cost_centre, component, subject, gl_account, statement_currency,
           minor_amount(frozen_minor, minor_unit_digits)   AS closed_amount,
           minor_amount(adjusted_minor, minor_unit_digits) AS adjusted_amount,
           minor_amount(replayed_minor, minor_unit_digits) AS replayed_amount,
           minor_amount(minor_units, minor_unit_digits)    AS amount, minor_units
    FROM adjustment
    JOIN statement USING (statement_month)
) AS published
WHERE '*' = ANY (ARRAY(SELECT seen.cost_centre FROM kstar.seen_cost_centre AS seen))
   OR published.cost_centre = ANY (ARRAY(SELECT seen.cost_centre FROM kstar.seen_cost_centre AS seen));

-- A row per cost centre and key figure, as part ÷ whole, as report/key_figures.sql has them. A view
-- that both read would have its owner's rights, and show everybody's rows.
CREATE VIEW kstar_views.report_key_figures WITH (security_barrier) AS
SELECT statement_month, as_shown(status) AS status, as_shown(cost_centre) AS cost_centre, as_shown(figure) AS figure,
       as_shown(statement_currency) AS statement_currency, as_shown(part) AS part, as_shown(whole) AS whole,
       as_shown(part_minor) AS part_minor, as_shown(whole_minor) AS whole_minor, as_shown(value) AS value
FROM (
    WITH charged AS (
        SELECT statement_month, cost_centre,
               coalesce(sum(minor_units) FILTER (WHERE component = 'useful_compute'), 0)     AS useful,
               coalesce(sum(minor_units) FILTER (WHERE component = 'coordination_waste'), 0) AS waste,
               coalesce(sum(minor_units) FILTER (WHERE block = 'invoice' AND component = 'idle'), 0)               AS idle,
               coalesce(sum(minor_units) FILTER (WHERE block = 'invoice'
                                                   AND component IN ('useful_compute', 'coordination_waste', 'unmeasured_hardware',
                                                                     'failed_runs', 'cancelled', 'idle')), 0)      AS hardware,
               coalesce(sum(minor_units) FILTER (WHERE block = 'invoice' OR is_of_attempts), 0)                    AS true_cost
        FROM statement_sum
        WHERE line_type = 'charge'
        GROUP BY statement_month, cost_centre
    ), priced AS (
        SELECT statement_month, cost_centre,
               coalesce(sum(effective_minor) FILTER (WHERE block = 'usage' AND pricing = 'committed' AND commitment <> ''), 0) AS used,
               coalesce(sum(effective_minor) FILTER (WHERE block = 'unused commitment'), 0)               AS unused,
               coalesce(sum(list_minor) FILTER (WHERE block = 'usage' AND pricing = 'committed'), 0)      AS covered,
               coalesce(sum(list_minor) FILTER (WHERE block = 'usage' AND pricing = 'on demand'), 0)      AS on_demand,
               coalesce(sum(effective_minor) FILTER (WHERE block IN ('usage', 'unused commitment')), 0)   AS effective,
               coalesce(sum(list_minor) FILTER (WHERE block IN ('usage', 'unused commitment')), 0)        AS list
        FROM statement_price
        WHERE cost_centre <> ''
        GROUP BY statement_month, cost_centre
    ), key_figure AS (
        SELECT statement_month, cost_centre, figure, part, whole
        FROM charged, LATERAL (VALUES ('idle', idle, hardware), ('waste', waste, useful + waste)) AS ratio (figure, part, whole)
        UNION ALL
        SELECT statement_month, cost_centre, figure, part, whole
        FROM priced, LATERAL (VALUES ('utilisation', used, used + unused), ('coverage', covered, covered + on_demand),
                                     ('savings', effective, list)) AS ratio (figure, part, whole)
        UNION ALL
        SELECT statement_month, cost_centre, 'variance', coalesce(true_cost, 0), minor_units
        FROM (SELECT statement_month, cost_centre, minor_units FROM statement_forecast WHERE cost_centre <> '') AS forecast
        LEFT JOIN charged USING (statement_month, cost_centre)
    )
    SELECT statement_month, status, cost_centre, figure, statement_currency,
           minor_amount(part::bigint, minor_unit_digits) AS part, minor_amount(whole::bigint, minor_unit_digits) AS whole,
           part::bigint AS part_minor, whole::bigint AS whole_minor,
           round(CASE figure WHEN 'savings' THEN 1 - part / nullif(whole, 0)
                             WHEN 'variance' THEN part / nullif(whole, 0) - 1
                             ELSE part / nullif(whole, 0) END, 6) AS value
    FROM key_figure
    JOIN statement USING (statement_month)
) AS published
WHERE '*' = ANY (ARRAY(SELECT seen.cost_centre FROM kstar.seen_cost_centre AS seen))
   OR published.cost_centre = ANY (ARRAY(SELECT seen.cost_centre FROM kstar.seen_cost_centre AS seen));

-- The same as budget_standing; a test compares the two. The view cannot call the function, which
-- would read with the rights of the caller.
CREATE VIEW kstar_views.report_budget WITH (security_barrier) AS
SELECT statement_month, as_shown(status) AS status, as_shown(cost_centre) AS cost_centre,
       as_shown(statement_currency) AS statement_currency, as_shown(budget) AS budget, as_shown(spent) AS spent,
       as_shown(remaining) AS remaining, as_shown(forecast_to_month_end) AS forecast_to_month_end,
       as_shown(budget_minor) AS budget_minor, as_shown(spent_minor) AS spent_minor,
       as_shown(forecast_minor) AS forecast_minor
FROM (
    WITH month AS (
        SELECT statement.*, statement_month::timestamp AT TIME ZONE 'UTC' AS month_start,
               (statement_month + interval '1 month') AT TIME ZONE 'UTC'  AS month_end
        FROM statement
    ), declared AS (
        SELECT statement_month, (jsonb_populate_record(NULL::budget, content)).*
        FROM frozen_reference
        WHERE table_name = 'budget'
        UNION ALL
        SELECT statement_month, budget.*
        FROM statement CROSS JOIN budget
        WHERE status = 'Preliminary'
    ), spent AS (
        SELECT statement_month, cost_centre, sum(minor_units)::bigint AS minor_units
        FROM statement_sum
        WHERE line_type = 'charge' AND (block = 'invoice' OR is_of_attempts)
        GROUP BY statement_month, cost_centre
    ), rest AS (
        SELECT statement_month, cost_centre, bool_or(linear_amount <> 0 AND covered <= 0) AS is_unknown,
               sum(CASE WHEN covered > 0 THEN linear_amount * 1.000000000000000000000000 * (seconds_between(month_start, month_end) - covered) / covered
                        ELSE 0 END) AS amount
        FROM statement_projection
        JOIN month USING (statement_month)
        CROSS JOIN LATERAL (SELECT coalesce(seconds_between(month_start, least(covered_to, month_end)),
                                            seconds_between(month_start, month_end)) AS covered) AS extent
        GROUP BY statement_month, cost_centre
    ), standing AS (
        SELECT statement_month, status, cost_centre, statement_currency, minor_unit_digits,
               round(declared.amount * 10::numeric ^ minor_unit_digits)::bigint AS budget_minor, coalesce(spent.minor_units, 0) AS spent_minor,
               CASE WHEN status = 'Final' OR spent.minor_units IS NULL THEN coalesce(spent.minor_units, 0)
                    WHEN NOT is_unknown THEN spent.minor_units + round(rest.amount * 10::numeric ^ minor_unit_digits)::bigint
               END AS forecast_minor
        FROM month
        JOIN declared USING (statement_month)
        LEFT JOIN spent USING (statement_month, cost_centre)
        LEFT JOIN rest USING (statement_month, cost_centre)
        WHERE declared.month = to_char(statement_month, 'YYYY-MM')
    )
    SELECT statement_month, status, cost_centre, statement_currency, minor_amount(budget_minor, minor_unit_digits) AS budget,
           minor_amount(spent_minor, minor_unit_digits) AS spent, minor_amount(budget_minor - spent_minor, minor_unit_digits) AS remaining,
           minor_amount(forecast_minor, minor_unit_digits) AS forecast_to_month_end, budget_minor, spent_minor, forecast_minor
    FROM standing
) AS published
WHERE '*' = ANY (ARRAY(SELECT seen.cost_centre FROM kstar.seen_cost_centre AS seen))
   OR published.cost_centre = ANY (ARRAY(SELECT seen.cost_centre FROM kstar.seen_cost_centre AS seen));

-- What months are made of, for kstar explain: closed ones, and open ones that it has stored. A row
-- per chunk, which has one cost centre.
CREATE VIEW kstar_views.report_part WITH (security_barrier) AS
SELECT statement_month, as_shown(chunk)::integer AS chunk, as_shown(published.cost_centre)::text AS cost_centre,
       as_shown(row_count)::integer AS row_count, as_shown(content)::bytea AS content
FROM (SELECT statement_month, chunk, cost_centre, row_count, content FROM closed_part
      UNION ALL
      SELECT statement_month, chunk, cost_centre, row_count, content FROM open_part) AS published
WHERE '*' = ANY (ARRAY(SELECT seen.cost_centre FROM kstar.seen_cost_centre AS seen))
   OR published.cost_centre = ANY (ARRAY(SELECT seen.cost_centre FROM kstar.seen_cost_centre AS seen));

-- The families of a cost centre's jobs, for kstar advise.
CREATE VIEW kstar_views.report_family WITH (security_barrier) AS
SELECT statement_month, as_shown(cost_centre) AS cost_centre, as_shown(family) AS family, as_shown(unit) AS unit,
       as_shown(accelerators_per_node) AS accelerators_per_node, as_shown(minimum_k) AS minimum_k, as_shown(maximum_k) AS maximum_k,
       as_shown(allowed_k) AS allowed_k, as_shown(goal_work_constant) AS goal_work_constant, as_shown(near_k_star_share) AS near_k_star_share,
       as_shown(spot_share) AS spot_share
FROM (
    SELECT job.statement_month, job.cost_centre, job.family, unit, accelerators_per_node, minimum_k, maximum_k, allowed_k, goal_work_constant,
           (SELECT value::numeric
            FROM setting
            WHERE parameter = 'near_k_star_share' AND valid_from < job.statement_month + interval '1 month' AND valid_to > job.statement_month
            ORDER BY valid_from DESC LIMIT 1) AS near_k_star_share,
           spot_share
    FROM (SELECT DISTINCT statement_month, cost_centre, family FROM job_result WHERE family IS NOT NULL) AS job
    JOIN LATERAL (SELECT *
                  FROM family AS declared
                  WHERE declared.family = job.family AND valid_from < job.statement_month + interval '1 month' AND valid_to > job.statement_month
                  ORDER BY valid_from DESC LIMIT 1) AS declared ON true
    LEFT JOIN (SELECT statement_month, cost_centre, family, sum(cost) FILTER (WHERE pricing_category = 'Dynamic') / nullif(sum(cost), 0) AS spot_share
               FROM (SELECT statement_month, cost_centre, family, pricing_category, class_charge.effective_cost * exchange_rate AS cost
                     FROM class_charge
                     JOIN statement_invoice USING (statement_month, invoice_key)
                     JOIN charge_kind USING (charge_kind_key)
                     WHERE target = 'job' AND charge_part = 'hardware'
                     UNION ALL -- nodes without a bill
                     SELECT statement_month, job_result.cost_centre, family, NULL, statement_detail.amount
                     FROM statement_sum
                     JOIN statement_detail USING (statement_month, sum_id)
                     JOIN job_result USING (statement_month, attempt_id)
                     WHERE block = 'internal' AND internal_charge(component) = 'internal_hardware') AS hardware
               GROUP BY statement_month, cost_centre, family) AS bought
           ON (bought.statement_month, bought.cost_centre, bought.family) = (job.statement_month, job.cost_centre, job.family)
) AS published
WHERE '*' = ANY (ARRAY(SELECT seen.cost_centre FROM kstar.seen_cost_centre AS seen))
   OR published.cost_centre = ANY (ARRAY(SELECT seen.cost_centre FROM kstar.seen_cost_centre AS seen));

-- The measurements of those families. They belong to a family, not to a cost centre.
CREATE VIEW kstar_views.report_measurement WITH (security_barrier) AS
SELECT statement_month, as_shown(cost_centre) AS cost_centre, as_shown(family) AS family, as_shown(scaling) AS scaling, as_shown(metric) AS metric,
       as_shown(accelerator) AS accelerator, as_shown(precision_name) AS precision_name, as_shown(batch) AS batch, as_shown(model) AS model,
       as_shown(sequence_length) AS sequence_length, as_shown(software) AS software, as_shown(k) AS k, as_shown(value) AS value, as_shown(measured_at) AS measured_at
FROM (
    SELECT job.statement_month, job.cost_centre, job.family, scaling, metric, accelerator, precision_name, batch, model, sequence_length, software,
           k, value, measured_at
    FROM (SELECT DISTINCT statement_month, cost_centre, family FROM job_result WHERE family IS NOT NULL) AS job
    JOIN measurement ON measurement.family = job.family AND measurement.job_id IS NULL
) AS published
WHERE '*' = ANY (ARRAY(SELECT seen.cost_centre FROM kstar.seen_cost_centre AS seen))
   OR published.cost_centre = ANY (ARRAY(SELECT seen.cost_centre FROM kstar.seen_cost_centre AS seen));
