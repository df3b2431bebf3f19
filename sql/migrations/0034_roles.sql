-- Least privilege (docs/security.md): what kstar does as a member of kstar_ingest rather than as the owner of the tables, who may see
-- which cost centre, and the views that readers and BI tools stand on (docs/views.md). Roles belong to the server and not to the
-- database: `kstar init --roles` makes them, and sql/roles/grant.sql says what each may do.

-- readers.csv: which cost centres a role of the server sees in the views; '*': all, and what reaches none. It is as it is today: who may
-- read a cost centre may read its closed months.
CREATE TABLE reader (
    database_role text NOT NULL,
    cost_centre   text NOT NULL,
    PRIMARY KEY (database_role, cost_centre)
);

-- Who may read decides no figure: a statement and its workbooks stay what they are when it changes. As 0009 and 0026 have them, without it.
CREATE OR REPLACE VIEW used_file AS
WITH used AS (
    SELECT statement_month, delivery_id FROM statement_load JOIN load USING (load_id, statement_month)
    UNION
    SELECT adjustment.statement_month, delivery_id
    FROM adjustment JOIN load ON load.statement_month = adjusted_month JOIN current_load USING (load_id)
    UNION
    SELECT statement_month, delivery_id FROM job_result JOIN job USING (attempt_id)
    UNION
    SELECT statement_month, delivery_id FROM statement CROSS JOIN measurement
    UNION
    SELECT statement_month, delivery_id
    FROM statement
    JOIN delivered_node ON start_time < (statement_month + interval '1 month')::timestamptz
                       AND coalesce(end_time, 'infinity') > statement_month::timestamptz
)
SELECT statement_month, kind, label || '/' || path AS path, source_file.sha256, bytes
FROM used JOIN delivery USING (delivery_id) JOIN source_file USING (delivery_id)
UNION ALL
SELECT statement_month, 'reference', 'reference/' || name, sha256, NULL
FROM statement CROSS JOIN reference_file
WHERE name <> 'readers.csv';

CREATE OR REPLACE FUNCTION statement_run_id(statement_month date, version text) RETURNS text
LANGUAGE sql STABLE
RETURN (
    WITH input AS (
        SELECT 'billing ' || source || ' ' || billing_period || ' ' || sha256 AS what
        FROM kstar.load
        JOIN kstar.current_load USING (load_id, source, billing_period)
        JOIN kstar.delivery USING (delivery_id, source)
        UNION ALL
        SELECT kind || ' ' || source || ' ' || label || ' ' || sha256 FROM kstar.delivery WHERE kind <> 'billing'
        UNION ALL
        SELECT 'reference ' || name || ' ' || sha256 FROM kstar.reference_file WHERE name <> 'readers.csv'
        UNION ALL
        SELECT 'closed ' || closure.statement_month FROM kstar.closure
        UNION ALL
        SELECT 'adjustment ' || prior_period_difference::text
        FROM kstar.prior_period_difference
        WHERE kstar.adjustment_carrier(adjusted_month) = statement_run_id.statement_month
        UNION ALL
        SELECT 'forecast ' || forecast_of_month(statement_run_id.statement_month)
    )
    SELECT left(encode(sha256(convert_to(
               concat_ws(E'\n', statement_month, extract(epoch FROM kstar.statement_as_of(statement_month)), version,
                         string_agg(what, E'\n' ORDER BY what COLLATE "C")), 'UTF8')), 'hex'), 16)
    FROM input);

-- The roles of this database, once there are any: kstar_owner, kstar_ingest … for the prefix 'kstar'.
CREATE TABLE role_set (
    prefix   text NOT NULL,
    is_only  boolean PRIMARY KEY DEFAULT true CHECK (is_only)
);

-- What whoever asks may see: by the roles whose rights he has at this moment. Those who work with the tables see everything.
CREATE VIEW seen_cost_centre AS
SELECT reader.cost_centre
FROM reader
JOIN pg_roles ON rolname = database_role
WHERE pg_has_role(pg_roles.oid, 'USAGE')
UNION
SELECT '*'
FROM role_set
JOIN pg_roles ON rolname IN (prefix || '_owner', prefix || '_ingest', prefix || '_report')
WHERE pg_has_role(pg_roles.oid, 'USAGE');

-- As 0014 has it, but with the rights of the tables' owner: a load makes the partition of a new month, and its role may create nothing else.
CREATE OR REPLACE FUNCTION ensure_billing_partition(period date) RETURNS text
LANGUAGE plpgsql SECURITY DEFINER SET search_path = kstar, pg_catalog, pg_temp AS $$
DECLARE
    partition_name text := 'billing_line_' || to_char(period, 'YYYYMMDD');
BEGIN
    IF to_regclass('kstar.' || quote_ident(partition_name)) IS NULL THEN
        LOCK TABLE kstar.billing_line IN SHARE UPDATE EXCLUSIVE MODE;
    END IF;
    IF to_regclass('kstar.' || quote_ident(partition_name)) IS NULL THEN
        EXECUTE format('CREATE TABLE kstar.%I (LIKE kstar.billing_line INCLUDING DEFAULTS INCLUDING CONSTRAINTS)',
                       partition_name);
        EXECUTE format('ALTER TABLE kstar.billing_line ATTACH PARTITION kstar.%I FOR VALUES IN (%L)',
                       partition_name, period);
    END IF;
    RETURN partition_name;
END
$$;

-- ANALYZE is its owner's too, and anybody else's is silently left undone: plans would be those of empty tables.
CREATE FUNCTION analyze_as_owner(table_name text) RETURNS void
LANGUAGE plpgsql SECURITY DEFINER SET search_path = kstar, pg_catalog, pg_temp AS $$
BEGIN
    EXECUTE format('ANALYZE kstar.%I', table_name);
END
$$;

-- A temporary table of the same name goes before (a replay works on those, sql/close/shadow.sql).
CREATE FUNCTION analyze_tables(VARIADIC table_names text[]) RETURNS void
LANGUAGE plpgsql AS $$
DECLARE
    table_name text;
BEGIN
    FOREACH table_name IN ARRAY table_names LOOP
        IF (SELECT pg_has_role(relowner, 'USAGE') FROM pg_class WHERE oid = to_regclass(quote_ident(table_name))) THEN
            EXECUTE format('ANALYZE %I', table_name);
        ELSE
            PERFORM kstar.analyze_as_owner(table_name);
        END IF;
    END LOOP;
END
$$;

-- Whole minor units as an exact amount: 123456 with 2 digits is 1234.56.
CREATE FUNCTION minor_amount(minor_units bigint, digits integer) RETURNS numeric
LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
RETURN minor_units * ('1e-' || digits)::numeric;

-- The views. They are owned by a role of their own that does not own the tables, so that row-level security stands below them; a
-- condition of a reader's own is worked out after it and after the view (security_barrier). Sessions of others may have any time zone:
-- nothing here depends on it.
CREATE SCHEMA IF NOT EXISTS kstar_views;

CREATE VIEW kstar_views.report_month WITH (security_barrier) AS
SELECT statement_month, status, statement_currency, minor_unit_digits, as_of, run_id, kstar_version
FROM statement;

CREATE VIEW kstar_views.report_cost_centre WITH (security_barrier) AS
SELECT statement_month, declared.cost_centre, declared.name, declared.gl_account, declared.owner
FROM (SELECT statement_month, (jsonb_populate_record(NULL::cost_centre, content)).*
      FROM frozen_reference
      WHERE table_name = 'cost_centre'
      UNION ALL
      SELECT statement_month, cost_centre.*
      FROM statement CROSS JOIN cost_centre
      WHERE status = 'Preliminary') AS declared
WHERE valid_from <= (statement_month + interval '1 month')::date - 1 AND valid_to > (statement_month + interval '1 month')::date - 1;

CREATE VIEW kstar_views.report_statement WITH (security_barrier) AS
WITH placed AS (
    SELECT CASE
               WHEN block = 'invoice' AND line_type = 'charge'      THEN 'charged'
               WHEN block = 'invoice' AND line_type = 'prepaid'     THEN 'prepaid movement'
               WHEN block = 'invoice'                               THEN line_type -- unallocated, balance sheet, unexplained
               WHEN line_type = 'charge' AND attempt_id IS NOT NULL THEN 'off the bill: charged'
               WHEN line_type = 'unallocated'                       THEN 'off the bill: unallocated'
               ELSE 'off the bill: credit of the carrier'
           END AS section,
           statement_row.*
    FROM statement_row
), added AS (
    SELECT statement_month, section, invoice_key, cost_centre, CASE WHEN section = 'charged' OR block <> 'invoice' THEN component END AS component,
           CASE section
               WHEN 'unallocated'                         THEN coalesce(reason, '(no reason given)')
               WHEN 'balance sheet'                       THEN row_key
               WHEN 'prepaid movement'                    THEN row_key
               WHEN 'unexplained'                         THEN coalesce(reason || ': ', '') || row_key
               WHEN 'off the bill: unallocated'           THEN reason
               WHEN 'off the bill: credit of the carrier' THEN coalesce(pool, row_key)
           END AS subject,
           gl_account, attempt_id IS NOT NULL AS on_job, sum(minor_units)::bigint AS minor_units
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
LEFT JOIN kstar_views.report_cost_centre AS centre USING (statement_month, cost_centre);

CREATE VIEW kstar_views.report_invoice WITH (security_barrier) AS
SELECT statement_month, status, source, invoice_issuer_name, invoice_id, billing_currency, exchange_rate, rate_date, cost_centre, line_type,
       statement_currency, minor_amount(sum(statement_row.minor_units)::bigint, minor_unit_digits) AS amount,
       sum(statement_row.minor_units)::bigint AS minor_units
FROM statement_row
JOIN statement USING (statement_month)
JOIN statement_invoice USING (statement_month, invoice_key)
WHERE block = 'invoice'
GROUP BY statement_month, status, invoice_key, source, invoice_issuer_name, invoice_id, billing_currency, exchange_rate, rate_date, cost_centre,
         line_type, statement_currency, minor_unit_digits;

CREATE VIEW kstar_views.report_job WITH (security_barrier) AS
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
       minor_amount(hardware_off_bill_minor, minor_unit_digits)       AS hardware_off_bill,
       minor_amount(fixed_overhead_off_bill_minor, minor_unit_digits) AS fixed_overhead_off_bill,
       minor_amount(engineering_overhead_minor, minor_unit_digits)    AS engineering_overhead,
       minor_amount(true_cost_minor, minor_unit_digits)               AS true_cost,
       true_cost_minor, verdict, verdict_reason, low_confidence, k_star, k_star_interval, k_fastest,
       -- The money above K* is that of flagged jobs alone, as on the sheet Jobs.
       CASE WHEN verdict = 'above K*' THEN minor_amount(excess_minor, minor_unit_digits) END         AS excess,
       CASE WHEN verdict = 'above K*' THEN minor_amount(cash_saving_minor, minor_unit_digits) END    AS cash_saving,
       CASE WHEN verdict = 'above K*' THEN minor_amount(freed_capacity_minor, minor_unit_digits) END AS freed_capacity,
       job_hours_at_k_star, deadline_hours, waiver, next_measurement, kwh, kg_co2e
FROM job_result AS result
JOIN statement USING (statement_month)
JOIN job USING (attempt_id)
LEFT JOIN (SELECT statement_month, attempt_id, kwh, kg_co2e FROM job_energy) AS energy USING (statement_month, attempt_id);

CREATE VIEW kstar_views.report_idle WITH (security_barrier) AS
SELECT statement_month, status, cost_centre, component, coalesce(pool, row_key) AS pool, statement_currency,
       minor_amount(sum(minor_units)::bigint, minor_unit_digits) AS amount, sum(minor_units)::bigint AS minor_units
FROM statement_row
JOIN statement USING (statement_month)
WHERE block = 'invoice' AND line_type = 'charge' AND component IN ('idle', 'unused_commitments')
GROUP BY statement_month, status, cost_centre, component, coalesce(pool, row_key), statement_currency, minor_unit_digits;

CREATE VIEW kstar_views.report_adjustment WITH (security_barrier) AS
SELECT statement_month, status, adjusted_month, source, line_type, cost_centre, component, subject, gl_account, statement_currency,
       minor_amount(frozen_minor, minor_unit_digits)   AS closed_amount,
       minor_amount(adjusted_minor, minor_unit_digits) AS adjusted_amount,
       minor_amount(replayed_minor, minor_unit_digits) AS replayed_amount,
       minor_amount(minor_units, minor_unit_digits)    AS amount, minor_units
FROM adjustment
JOIN statement USING (statement_month);

CREATE VIEW kstar_views.report_key_figures WITH (security_barrier) AS
WITH charged AS (
    SELECT statement_month, cost_centre,
           coalesce(sum(minor_units) FILTER (WHERE block = 'invoice' AND component = 'useful_compute'), 0)     AS useful,
           coalesce(sum(minor_units) FILTER (WHERE block = 'invoice' AND component = 'coordination_waste'), 0) AS waste,
           coalesce(sum(minor_units) FILTER (WHERE block = 'invoice' AND component = 'idle'), 0)               AS idle,
           coalesce(sum(minor_units) FILTER (WHERE block = 'invoice'
                                               AND component IN ('useful_compute', 'coordination_waste', 'unmeasured_hardware',
                                                                 'failed_runs', 'cancelled', 'idle')), 0)      AS hardware,
           coalesce(sum(minor_units) FILTER (WHERE block = 'invoice' OR attempt_id IS NOT NULL), 0)            AS true_cost
    FROM statement_row
    WHERE line_type = 'charge'
    GROUP BY statement_month, cost_centre
), priced AS (
    SELECT statement_month, cost_centre,
           coalesce(sum(effective_minor) FILTER (WHERE block = 'usage' AND pricing = 'committed'), 0) AS used,
           coalesce(sum(effective_minor) FILTER (WHERE block = 'unused commitment'), 0)               AS unused,
           coalesce(sum(list_minor) FILTER (WHERE block = 'usage' AND pricing = 'committed'), 0)      AS covered,
           coalesce(sum(list_minor) FILTER (WHERE block = 'usage' AND pricing = 'on demand'), 0)      AS on_demand,
           coalesce(sum(effective_minor) FILTER (WHERE block IN ('usage', 'unused commitment')), 0)   AS effective,
           coalesce(sum(list_minor) FILTER (WHERE block IN ('usage', 'unused commitment')), 0)        AS list
    FROM statement_price
    WHERE cost_centre <> ''
    GROUP BY statement_month, cost_centre
), said AS (
    SELECT statement_month, cost_centre, figure, part, whole
    FROM charged, LATERAL (VALUES ('idle', idle, hardware), ('waste', waste, useful + waste)) AS said (figure, part, whole)
    UNION ALL
    SELECT statement_month, cost_centre, figure, part, whole
    FROM priced, LATERAL (VALUES ('utilisation', used, used + unused), ('coverage', covered, covered + on_demand),
                                 ('savings', effective, list)) AS said (figure, part, whole)
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
FROM said
JOIN statement USING (statement_month);

-- As budget_standing has it (a test holds the two against each other): a function reads with the rights of whoever calls it.
CREATE VIEW kstar_views.report_budget WITH (security_barrier) AS
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
    FROM statement_row
    WHERE line_type = 'charge' AND (block = 'invoice' OR attempt_id IS NOT NULL)
    GROUP BY statement_month, cost_centre
), rest AS (
    SELECT statement_month, cost_centre, bool_or(linear_amount <> 0 AND covered <= 0) AS is_unknown,
           sum(CASE WHEN covered > 0 THEN linear_amount * 1.000000000000000000000000 * (seconds_between(month_start, month_end) - covered) / covered
                    ELSE 0 END) AS amount
    FROM statement_projection
    JOIN month USING (statement_month)
    CROSS JOIN LATERAL (SELECT coalesce(seconds_between(month_start, least(covered_to, month_end)),
                                        seconds_between(month_start, month_end)) AS covered) AS reach
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
FROM standing;
