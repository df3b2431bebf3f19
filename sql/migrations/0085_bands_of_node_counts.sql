-- Each judged job has a band of node counts: from the K of least money to the cheapest K with waiting counted. k_star
-- of a job is the end of the band that is nearer to it; inside the band it is its own K. Published before: the cheapest
-- with waiting counted; the lower end is not known. The views of the families and pools of each statement are made
-- anew, as 0006 and 0075 have them: they hold the rows of these tables.
DROP VIEW stated_family_of_month, stated_family, stated_pool;

ALTER TABLE family ADD COLUMN waiting_cost_per_hour numeric CHECK (waiting_cost_per_hour >= 0); -- null: the setting of that name
ALTER TABLE pool ADD COLUMN ends_with_job boolean NOT NULL DEFAULT false; -- a job's part is not spent once the job ends

DO $$
DECLARE
    choice text;
BEGIN
    FOREACH choice IN ARRAY ARRAY['family', 'pool'] LOOP
        EXECUTE format($sql$
            CREATE VIEW stated_%1$s AS
            SELECT statement_month, (jsonb_populate_record(NULL::%1$I, content)).*
            FROM frozen_reference
            WHERE table_name = %1$L
            UNION ALL
            SELECT statement_month, choice.*
            FROM statement CROSS JOIN %1$I AS choice
            WHERE status = 'Preliminary'$sql$, choice);
    END LOOP;
END
$$;

CREATE VIEW stated_family_of_month AS
SELECT DISTINCT ON (statement_month, family) stated_family.*
FROM stated_family
LEFT JOIN closure USING (statement_month)
CROSS JOIN LATERAL (SELECT (statement_month + interval '1 month')::date - 1 AS last_day) AS month
WHERE valid_from <= last_day AND valid_to > CASE WHEN ended_families_are_left_out THEN last_day ELSE statement_month END
ORDER BY statement_month, family, valid_from DESC;

ALTER TABLE job_result
    ADD COLUMN waiting_per_hour     double precision NOT NULL DEFAULT 0, -- what waiting was counted at; part of fixed_per_wall_hour
    ADD COLUMN k_least_money        integer, -- the band's lower end
    ADD COLUMN k_with_waiting       integer, -- its upper end
    ADD COLUMN others_overhead_minor bigint, -- excess − cash − freed capacity: overhead that others would bear; below 0: that they are spared
    -- The 95 % interval of the excess of a flag: the shares that the model found x what the job cost. Null: nothing
    -- tells it, or published before.
    ADD COLUMN excess_low_minor     bigint,
    ADD COLUMN excess_high_minor    bigint,
    -- of a component of a heterogeneous job what is left by the components before it: the ends may be a cent off there
    ADD CHECK (judged_with IS NOT NULL OR excess_low_minor <= excess_high_minor);
ALTER TABLE family_fit
    ADD COLUMN waiting_per_hour double precision NOT NULL DEFAULT 0,
    ADD COLUMN k_least_money    integer; -- k_star is the cheapest with waiting counted
ALTER TABLE planned_training_cost
    ADD COLUMN waiting_per_hour double precision; -- what waiting is counted at in k_star; null without one
ALTER TABLE family_curve ADD COLUMN money_cost double precision; -- cost without waiting; null: published before

UPDATE job_result
SET waiting_per_hour = stated_setting_value(statement_month, 'waiting_cost_per_hour', '0')::double precision, k_with_waiting = k_star;
UPDATE family_fit SET waiting_per_hour = stated_setting_value(statement_month, 'waiting_cost_per_hour', '0')::double precision
WHERE price_per_node_hour IS NOT NULL;

-- Which verdicts are flags: their money stands on the sheets.
CREATE FUNCTION is_flag(verdict text) RETURNS boolean
LANGUAGE sql IMMUTABLE
RETURN verdict IN ('above K*', 'below K*');

-- Whether a flagged job can be resized: nobody waived it, and at K* it would not miss a deadline that it met.
CREATE FUNCTION is_attainable(waiver text, hours double precision, hours_at_k_star double precision, deadline_hours double precision) RETURNS boolean
LANGUAGE sql IMMUTABLE
RETURN waiver IS NULL AND (hours <= deadline_hours AND hours_at_k_star > deadline_hours) IS NOT TRUE;

-- Of an amount that comes after `before` the share in minor units: what is up to its end less what is before it. So the
-- components of a heterogeneous job together round to what the job does.
CREATE FUNCTION part_in_minor(share double precision, before numeric, amount numeric, unit numeric) RETURNS bigint
LANGUAGE sql IMMUTABLE PARALLEL SAFE
RETURN (round((before + amount) * round(share::numeric, 12) * unit) - round(before * round(share::numeric, 12) * unit))::bigint;

-- As 0075 has it, with the jobs below K*; an hour that K saved must be worth break_even_minor for the excess to be
-- right (null: it saved none).
CREATE OR REPLACE VIEW flagged_job AS
SELECT statement_month, attempt_id, cost_centre, family, whole.outcome, whole.provisional, k, efficiency, k_star, k_star_interval, verdict_reason,
       low_confidence, next_measurement, whole.cost_minor, whole.cost_at_k_star_minor, whole.excess_minor, whole.cash_saving_minor,
       whole.freed_capacity_minor, job_hours, job_hours_at_k_star, deadline_hours, deadline_k, waiver, judged_with, whole.is_part,
       verdict, waiting_per_hour, k_least_money, k_with_waiting, whole.others_overhead_minor,
       is_attainable(waiver, job_hours, job_hours_at_k_star, deadline_hours) AS is_attainable,
       CASE WHEN job_hours_at_k_star > job_hours
            THEN whole.excess_minor / ((job_hours_at_k_star - job_hours) * CASE WHEN whole.is_part THEN whole.wall_hours / job_hours ELSE 1 END)
       END AS break_even_minor, whole.excess_low_minor, whole.excess_high_minor
FROM job_result
JOIN (SELECT statement_month, coalesce(judged_with, attempt_id) AS attempt_id,
             CASE WHEN bool_or(outcome = 'failed') THEN 'failed' WHEN bool_or(outcome = 'cancelled') THEN 'cancelled' ELSE 'productive' END AS outcome,
             bool_or(provisional) AS provisional,
             sum(cost_minor)::bigint AS cost_minor, sum(cost_at_k_star_minor)::bigint AS cost_at_k_star_minor,
             sum(excess_minor)::bigint AS excess_minor, sum(cash_saving_minor)::bigint AS cash_saving_minor,
             sum(freed_capacity_minor)::bigint AS freed_capacity_minor, sum(others_overhead_minor)::bigint AS others_overhead_minor,
             sum(excess_low_minor)::bigint AS excess_low_minor, sum(excess_high_minor)::bigint AS excess_high_minor,
             nullif(sum(wall_hours::numeric), 0)::double precision AS wall_hours,
             bool_or(start_time < month_start OR coalesce(end_time, start_time + job_hours * interval '1 hour') > month_end) AS is_part
      FROM job_result
      CROSS JOIN LATERAL (SELECT statement_month::timestamp AT TIME ZONE 'UTC', (statement_month + interval '1 month') AT TIME ZONE 'UTC')
                 AS month (month_start, month_end)
      WHERE is_flag(verdict)
      GROUP BY statement_month, coalesce(judged_with, attempt_id)) AS whole USING (statement_month, attempt_id);

-- As 0075 has it; with the band, what waiting was counted at, and whose money the excess is.
CREATE OR REPLACE VIEW kstar_views.report_job WITH (security_barrier) AS
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
       as_shown(fixed_overhead) AS fixed_overhead, as_shown(hardware_off_bill) AS hardware_off_bill,
       as_shown(fixed_overhead_off_bill) AS fixed_overhead_off_bill, as_shown(engineering_overhead) AS engineering_overhead,
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
           minor_amount(hardware_off_bill_minor, minor_unit_digits)       AS hardware_off_bill,
           minor_amount(fixed_overhead_off_bill_minor, minor_unit_digits) AS fixed_overhead_off_bill,
           minor_amount(engineering_overhead_minor, minor_unit_digits)    AS engineering_overhead,
           minor_amount(true_cost_minor, minor_unit_digits)               AS true_cost,
           true_cost_minor, verdict, verdict_reason, low_confidence, k_star, k_star_interval, k_fastest,
           -- The money of a flag is that of flagged jobs alone, as on the sheet Jobs.
           CASE WHEN is_flag(verdict) THEN minor_amount(excess_minor, minor_unit_digits) END          AS excess,
           CASE WHEN is_flag(verdict) THEN minor_amount(cash_saving_minor, minor_unit_digits) END     AS cash_saving,
           CASE WHEN is_flag(verdict) THEN minor_amount(freed_capacity_minor, minor_unit_digits) END  AS freed_capacity,
           CASE WHEN is_flag(verdict) THEN minor_amount(others_overhead_minor, minor_unit_digits) END AS others_overhead,
           minor_amount(excess_low_minor, minor_unit_digits)  AS excess_low,
           minor_amount(excess_high_minor, minor_unit_digits) AS excess_high,
           CASE WHEN is_flag(verdict) THEN is_attainable(waiver, job_hours, job_hours_at_k_star, deadline_hours) END AS attainable,
           job_hours_at_k_star, deadline_hours, waiver, next_measurement, kwh, kg_co2e, overhead_per_node_hour, fixed_per_wall_hour,
           waiting_per_hour, k_least_money, k_with_waiting
    FROM job_result AS result
    JOIN statement USING (statement_month)
    JOIN job USING (attempt_id)
    LEFT JOIN (SELECT statement_month, attempt_id, kwh, kg_co2e FROM job_energy) AS energy USING (statement_month, attempt_id)
) AS published
WHERE '*' = ANY (ARRAY(SELECT seen.cost_centre FROM kstar.seen_cost_centre AS seen))
   OR published.cost_centre = ANY (ARRAY(SELECT seen.cost_centre FROM kstar.seen_cost_centre AS seen));

-- A rate, an hours' worth: three digits are enough to decide by. 1386.6 is 1,390; 0.034567 is 0.0346.
CREATE FUNCTION rough_text(amount numeric) RETURNS text
LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
RETURN CASE WHEN amount <= 0 THEN '0'
            ELSE rtrim(to_char(round(amount, 2 - floor(log(amount::double precision))::integer), 'FM999,999,999,999,999,990.999999999'), '.') END;

-- "17.0 hours", "9 minutes"; null where two sizes take as long.
CREATE FUNCTION hours_text(hours double precision) RETURNS text
LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
RETURN CASE WHEN abs(hours) < 1.0 / 120 THEN NULL
            WHEN abs(hours) < 2 THEN round(abs(hours)::numeric * 60) || ' minutes'
            ELSE round(abs(hours)::numeric, 1) || ' hours' END;

-- What an hour of waiting was counted at: "waiting counted at USD 0 to 120 an hour", or that it was not counted.
CREATE FUNCTION waiting_text(lowest numeric, highest numeric, currency text) RETURNS text
LANGUAGE sql IMMUTABLE PARALLEL SAFE
RETURN CASE WHEN highest > 0
            THEN 'waiting counted at ' || currency || ' '
                 || concat_ws(' to ', CASE WHEN lowest < highest THEN trim_scale(lowest) END, trim_scale(highest)) || ' an hour'
            ELSE 'waiting not counted' END;

CREATE FUNCTION waiting_text(per_hour double precision, currency text) RETURNS text
LANGUAGE sql IMMUTABLE PARALLEL SAFE
RETURN waiting_text(per_hour::numeric, per_hour::numeric, currency);

-- What a flag says of a job: "64 nodes cost USD 23,573.11 more than 16 and saved 17.0 hours: right only if an hour is
-- worth more than USD 1,390". Of a job below the band: "2 nodes cost USD 1,229.44 more than 4 and took 18.5 hours
-- longer". Of a job over a month's end the hours that count in the month. What waiting was counted at follows.
-- A row to join with, because the planner makes only that part of the query: a call for each flag takes ten times as long.
CREATE FUNCTION flag_text(flag flagged_job, unit text, currency text, digits integer) RETURNS SETOF text
LANGUAGE sql STABLE
BEGIN ATOMIC
    SELECT CASE WHEN (flag).is_part THEN 'in this month ' ELSE '' END
           || format('%s %s cost %s %s more than %s', (flag).k, CASE (flag).k WHEN 1 THEN rtrim(unit, 's') ELSE unit END, currency, money_text((flag).excess_minor, digits), (flag).k_star)
           || CASE WHEN (flag).provisional THEN ' so far'
                   WHEN (flag).outcome = 'failed' THEN ' until the job failed'
                   WHEN (flag).outcome = 'cancelled' THEN ' until the job was cancelled' ELSE '' END
           || CASE WHEN longer IS NULL THEN ''
                   ELSE CASE WHEN (flag).is_part AND counted IS NULL THEN '; the whole job ' ELSE ' and ' END
                        || CASE WHEN hours_text(coalesce(counted, longer)) IS NULL THEN 'saved no time'
                                WHEN longer > 0 THEN 'saved ' || hours_text(coalesce(counted, longer))
                                ELSE 'took ' || hours_text(longer) || ' longer' END END
           || coalesce(': right only if an hour is worth more than ' || currency || ' ' || break_even, '')
           || '; ' || waiting_text((flag).waiting_per_hour, currency)
    FROM (SELECT (flag).job_hours_at_k_star - (flag).job_hours AS longer,
                 (flag).excess_minor / nullif((flag).break_even_minor, 0) AS counted, -- hours saved that count in the month
                 rough_text((flag).break_even_minor::numeric * ('1e-' || digits)::numeric) AS break_even) AS said;
END;

-- The dearest flag in words. Jobs may lie on several servers, which know nothing of flags: the flag comes first, then its
-- job.
CREATE FUNCTION headline_text(dearest flagged_job) RETURNS text
LANGUAGE plpgsql STABLE AS $$
DECLARE
    name text;
BEGIN
    SELECT CASE WHEN dearest.judged_with IS NULL THEN job.job_id ELSE heterogeneous_job_id END || coalesce(' (' || job.job_name || ')', '') INTO name
    FROM kstar.job
    WHERE attempt_id = dearest.attempt_id;
    RETURN (
        SELECT format('Job %s: %s.', name, words)
        FROM kstar.statement
        LEFT JOIN kstar.stated_family_of_month AS family ON family.statement_month = dearest.statement_month AND family.family = dearest.family
        CROSS JOIN LATERAL kstar.flag_text(dearest, coalesce(family.unit, 'nodes'), statement_currency, minor_unit_digits) AS words
        WHERE statement.statement_month = dearest.statement_month);
END
$$;

-- The first lines of a workbook and of the night's summary, for each scope: '' is everybody, else a cost centre. They are
-- the dearest flag; how much of what jobs cost the verdicts cover, and what an hour of waiting was counted at; and what
-- can be saved by resizing flagged jobs (null: none is flagged). One pass over the results makes those of all scopes.
CREATE FUNCTION headlines(of_month date, scopes text[]) RETURNS TABLE (scope text, headline text, coverage text, saving text)
LANGUAGE sql STABLE
BEGIN ATOMIC
    WITH dearest AS (
        SELECT DISTINCT ON (seen.scope) seen.scope, flag
        FROM flagged_job AS flag
        CROSS JOIN LATERAL (VALUES (''), (flag.cost_centre)) AS seen (scope)
        WHERE statement_month = of_month AND seen.scope = ANY (scopes)
        ORDER BY seen.scope, excess_minor DESC NULLS LAST, attempt_id
    ), counted AS (
        SELECT book.scope,
               count(*) FILTER (WHERE is_one AND is_covered) AS jobs, count(*) FILTER (WHERE is_one AND is_judged) AS judged,
               sum(cost_minor) FILTER (WHERE is_covered) AS all_minor, coalesce(sum(cost_minor) FILTER (WHERE is_judged), 0) AS judged_minor,
               min(waiting_per_hour) FILTER (WHERE is_judged) AS cheapest_hour, max(waiting_per_hour) FILTER (WHERE is_judged) AS dearest_hour,
               count(*) FILTER (WHERE is_one AND is_flagged) AS flags, count(*) FILTER (WHERE is_one AND can) AS attainable,
               coalesce(sum(cash_saving_minor) FILTER (WHERE can AND NOT low_confidence), 0) AS sure,
               coalesce(sum(cash_saving_minor) FILTER (WHERE can AND low_confidence), 0) AS unsure,
               coalesce(sum(freed_capacity_minor) FILTER (WHERE can), 0) AS capacity
        FROM unnest(scopes) AS book (scope)
        LEFT JOIN (job_result CROSS JOIN LATERAL (VALUES (''), (job_result.cost_centre)) AS seen (scope))
               ON statement_month = of_month AND seen.scope = book.scope
        CROSS JOIN LATERAL (SELECT coalesce(judged_with, attempt_id) = attempt_id, is_flag(verdict),
                                   outcome <> 'not started' AND (wall_hours > 0 OR price_per_node_hour IS NOT NULL)) AS one (is_one, is_flagged, is_covered)
        CROSS JOIN LATERAL (SELECT is_covered AND verdict NOT IN ('not measured', 'extrapolated'),
                                   is_flagged AND is_attainable(waiver, job_hours, job_hours_at_k_star, deadline_hours)) AS two (is_judged, can)
        GROUP BY book.scope
    )
    SELECT scope, CASE WHEN flags > 0 THEN headline_text(flag) ELSE 'No job is flagged: there is nothing to save by resizing.' END,
           format('%s of %s jobs were judged, with %s of what jobs cost; %s; %s.', judged, jobs,
                  coalesce(round(100 * judged_minor / nullif(all_minor, 0), 1) || ' %', 'none'),
                  CASE WHEN judged = jobs THEN 'none is left' ELSE 'of the others nobody knows whether they should be resized' END,
                  waiting_text(cheapest_hour::numeric, dearest_hour::numeric, statement_currency)),
           CASE WHEN flags > 0
                THEN format('Resizing %s of %s flagged %s would save %s %s in cash for sure and %s more at low confidence, and free capacity of %s.',
                            attainable, flags, CASE flags WHEN 1 THEN 'job' ELSE 'jobs' END, statement_currency, money_text(sure, minor_unit_digits),
                            money_text(unsure, minor_unit_digits), money_text(capacity, minor_unit_digits)) END
    FROM counted
    LEFT JOIN dearest USING (scope)
    JOIN statement ON statement_month = of_month;
END;
