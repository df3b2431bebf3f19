-- What a statement publishes of each job and each family.

-- One row per attempt in the statement. Money is in minor units of the statement currency, and each
-- cent is in one component.
CREATE TABLE job_result (
    statement_month               date NOT NULL,
    attempt_id                    bigint NOT NULL,
    -- null: unallocated, job without cost centre
    cost_centre                   text,
    family                        text,
    outcome                       text NOT NULL,             -- job_state.outcome
    provisional                   boolean NOT NULL,
    k                             integer NOT NULL,          -- in the family's unit
    node_hours                    double precision NOT NULL, -- held in the month, share-weighted
    wall_hours                    double precision NOT NULL, -- in the month
    job_hours                     double precision NOT NULL, -- the whole job, up to the horizon
    -- hours on nodes without a price: neither a bill nor an internal rate has one
    unpriced_node_hours           double precision NOT NULL,
    price_per_node_hour           double precision,          -- p = hardware ÷ priced node-hours
    -- f = fixed overhead ÷ wall-hours, plus the cost of waiting
    fixed_per_wall_hour           double precision,
    efficiency                    numeric(15,12),            -- E(K); null: not measured
    efficiency_from               text,                      -- 'job', 'family', 'profiled'
    useful_compute_minor          bigint NOT NULL,
    coordination_waste_minor      bigint NOT NULL,
    unmeasured_hardware_minor     bigint NOT NULL,
    failed_runs_minor             bigint NOT NULL,
    cancelled_minor               bigint NOT NULL,
    cloud_fees_minor              bigint NOT NULL,
    fixed_overhead_minor          bigint NOT NULL,
    internal_overhead_minor bigint NOT NULL,
    engineering_overhead_minor    bigint NOT NULL,
    -- the sum of the nine components above
    true_cost_minor               bigint NOT NULL,
    k_star                        integer,
    -- '7–11', or a set '1, 7–11'; null: none
    k_star_interval               text,
    k_fastest                     integer,
    verdict                       text NOT NULL,
    verdict_reason                text NOT NULL,
    low_confidence                boolean NOT NULL,
    next_measurement              text,
    -- C(K*) ÷ C(K) in money; the cost of waiting affects only K*
    cost_ratio                    numeric(15,12),
    hours_ratio                   numeric(18,12),            -- T(K*) ÷ T(K)
    -- hardware + fixed overhead: the cost that the verdict judges
    cost_minor                    bigint,
    cost_at_k_star_minor          bigint,
    -- K > K*: cost − cost at K*; a memo, overlaps coordination waste
    excess_minor                  bigint,
    cash_saving_minor             bigint,                    -- the part on demand or spot
    freed_capacity_minor          bigint,                    -- the part on committed or owned nodes
    job_hours_at_k_star           double precision,
    deadline_hours                double precision,
    -- cheapest K that meets it; null with a deadline: no K does
    deadline_k                    integer,
    waiver                        text,                      -- who, why, until when
    -- the scheduler's own words; only shown
    state_text                    text,
    start_time                    timestamptz,
    end_time                      timestamptz,               -- null: it was running
    -- hours on nodes without a bill, at an internal rate
    internal_node_hours           double precision NOT NULL DEFAULT 0,
    -- the state that decided the outcome (job_state)
    base_state                    text,
    -- run group and tokens as in the job records when the statement was published
    run_group                     text,
    commented_tokens              numeric,
    -- hours on a node without any of its accelerators (CPUs, if the node has none): not charged
    shareless_node_hours          double precision NOT NULL DEFAULT 0,
    -- the first component of its heterogeneous job; null: it is judged by itself
    judged_with                   bigint,
    -- of pools split by node-hours
    overhead_per_node_hour        double precision NOT NULL DEFAULT 0,
    -- the cost of waiting, part of fixed_per_wall_hour
    waiting_per_hour              double precision NOT NULL DEFAULT 0,
    k_least_money                 integer,                   -- the band's lower end
    k_with_waiting                integer,                   -- its upper end
    -- excess − cash − freed capacity: overhead that others would pay instead; below 0: that they
    -- would save
    others_overhead_minor         bigint,
    -- The 95 % interval of the excess of a flag: the shares that the model found × the cost of the
    -- job. Null: unknown.
    excess_low_minor              bigint,
    excess_high_minor             bigint,
    -- the accelerator that the verdict assumed; null: unknown
    accelerator                   text,
    -- the verdict is from logs of production jobs only, without a controlled run that agrees
    from_production               boolean NOT NULL DEFAULT false,
    -- the K that next_measurement names; null: it names none
    next_k                        integer,
    nodes_per_k                   double precision,          -- nodes (or a part of one) in one unit of K
    -- the share of its hardware that would be freed capacity and not cash
    committed_share               numeric(15,12),
    -- the same hours in seconds, exact: weights of internal charges
    wall_seconds                  numeric NOT NULL DEFAULT 0,
    node_seconds                  numeric NOT NULL DEFAULT 0,
    internal_node_seconds         numeric NOT NULL DEFAULT 0,
    -- hash of job name and user, as recorded when published; null: without a name
    name_hash                     bigint,
    -- the job could run at K*: neither a waiver nor its deadline prevents it
    is_attainable                 boolean NOT NULL DEFAULT false,
    -- the attempts at one result are looked up across statements
    PRIMARY KEY (attempt_id, statement_month),
    -- A component of a heterogeneous job has the rest that the components before it leave, so its
    -- ends may be a cent off.
    CHECK (judged_with IS NOT NULL OR excess_low_minor <= excess_high_minor)
);

-- Rows are stored by cost centre, as the rows of the statement are.
CREATE INDEX job_result_month ON job_result USING brin (statement_month, cost_centre) WITH (pages_per_range = 16);
-- A B-tree: most groups are named by job ids, which grow with time, so new entries are side by
-- side. A hash index would spread them over all of its pages. The month is in the index so that a
-- group without earlier months is found without reading the table.
CREATE INDEX job_result_run_group ON job_result (run_group, statement_month);

-- A night compares the flags of its month with those of a year, and reads them from this index
-- alone. name_hash and is_attainable are columns for this purpose. The index has no texts: an entry
-- has room for 2,704 bytes, and one long name would stop the statement of a month.
CREATE INDEX job_result_flag ON job_result (statement_month, cost_centre)
    INCLUDE (attempt_id, judged_with, name_hash, family, excess_minor, cash_saving_minor, freed_capacity_minor, low_confidence, is_attainable)
    WHERE is_flag(verdict);

-- Flagged jobs: above or below K*. A heterogeneous job is one row: that of its first component,
-- with the money of all components. is_part: the job began before or ended after the month of the
-- statement, which has only a part of its cost. The excess is justified only if an hour that K
-- saved is worth more than break_even_minor (null: it saved none).
CREATE VIEW flagged_job AS
SELECT statement_month, whole.attempt_id, cost_centre, family, whole.outcome, whole.provisional, k, efficiency, k_star, k_star_interval, verdict_reason,
       low_confidence, next_measurement, whole.cost_minor, whole.cost_at_k_star_minor, whole.excess_minor, whole.cash_saving_minor,
       whole.freed_capacity_minor, job_hours, job_hours_at_k_star, deadline_hours, deadline_k, waiver, judged_with, whole.is_part,
       verdict, waiting_per_hour, k_least_money, k_with_waiting, whole.others_overhead_minor,
       is_attainable,
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
             nullif(sum(wall_seconds) / 3600, 0)::double precision AS wall_hours,
             bool_or(start_time < month_start OR coalesce(end_time, start_time + job_hours * interval '1 hour') > month_end) AS is_part
      FROM job_result
      CROSS JOIN LATERAL (SELECT statement_month::timestamp AT TIME ZONE 'UTC', (statement_month + interval '1 month') AT TIME ZONE 'UTC')
                 AS month (month_start, month_end)
      WHERE is_flag(verdict)
      GROUP BY statement_month, coalesce(judged_with, attempt_id)) AS whole USING (statement_month, attempt_id);

-- The fit to the measurements of a family. A family that was measured on several accelerators has a
-- fit for each.
CREATE TABLE family_fit (
    statement_month           date NOT NULL,
    family                    text NOT NULL,    -- names the fit: 'llm on A100'
    -- accelerator, precision, batch of the measurements used
    series                    text NOT NULL,
    scaling                   text NOT NULL,
    law                       text NOT NULL,    -- 'usl', 'stepped', 'growth', 'none'
    t1_hours                  double precision, -- fitted time at smallest_k
    serial_fraction           double precision,
    communication_coefficient double precision,
    step                      double precision,
    smallest_k                integer,
    largest_k                 integer,
    measurements              integer NOT NULL,
    distinct_k                integer NOT NULL,
    r_squared                 double precision,
    largest_residual          double precision, -- relative
    low_confidence            boolean NOT NULL,
    reason                    text NOT NULL,    -- why this law
    alternatives              text,             -- each law that is possible, with its coefficients
    price_per_node_hour       double precision, -- of its jobs in the month, for the curve below
    fixed_per_wall_hour       double precision,
    k_star                    integer,          -- at those prices
    k_star_interval           text,
    k_fastest                 integer,
    -- what most of the family's hardware of the month was
    capacity                  text CHECK (capacity IN ('on demand', 'spot')),
    -- the K with the least energy for a result: smallest K · T(K)
    k_carbon                  integer,
    overhead_per_node_hour    double precision, -- of pools split by node-hours, of one K
    -- reasons to doubt K*; null: none, or not examined
    k_star_reason             text,
    waiting_per_hour          double precision NOT NULL DEFAULT 0,
    k_least_money             integer,          -- k_star is the cheapest with waiting counted
    jobs_family               text,             -- the family as jobs have it
    -- the interval between checkpoints on K* nodes of `capacity` (docs/mathematics.md); null:
    -- nothing interrupts jobs there, or a checkpoint costs nothing
    checkpoint_interval_hours double precision,
    -- what interruptions and checkpoints add to the time at K*, at that interval
    interruption_share        double precision,
    PRIMARY KEY (statement_month, family)
);

-- The cost of a family at each K, at the month's prices, for charts: the curve of the law and the
-- measured points. Hours are relative to the measured job. The cost is not money of the bill.
CREATE TABLE family_curve (
    statement_month date NOT NULL,
    family          text NOT NULL,
    k               integer NOT NULL,
    efficiency      double precision,
    hours           double precision,
    cost            double precision,
    measured_hours  double precision,
    measured_cost   double precision,
    money_cost      double precision, -- cost without waiting
    -- the share of its cost that a job on K nodes would save if K* were known (docs/mathematics.md,
    -- section 10); null: unknown
    value_share     numeric(15,12),
    PRIMARY KEY (statement_month, family, k)
);

-- The fit for jobs of a family on an accelerator: those of the statement, and of the two months
-- before.
CREATE TABLE fit_of_jobs (
    statement_month date NOT NULL,
    family          text NOT NULL,
    accelerator     text NOT NULL, -- '': nobody knows
    fit             text NOT NULL, -- of family_fit; the family, if it has no fit
    PRIMARY KEY (statement_month, family, accelerator)
);

-- The rate card: the cost of a node-hour of useful work on K nodes, by family, at the month's
-- prices.
CREATE TABLE family_rate (
    statement_month        date NOT NULL,
    family                 text NOT NULL,
    k                      integer NOT NULL,
    unit                   text NOT NULL CHECK (unit IN ('nodes', 'accelerators')), -- what K counts
    basis                  text NOT NULL CHECK (basis IN ('measured', 'fitted', 'fitted, low confidence')),
    is_k_star              boolean NOT NULL,
    price_per_node_hour    double precision NOT NULL, -- p, of one K
    -- f in money, without the cost of waiting, which affects only K*
    fixed_per_wall_hour    double precision NOT NULL,
    efficiency             double precision NOT NULL, -- E(K)
    stretch                double precision NOT NULL, -- by interruptions: at least 1
    hours                  double precision NOT NULL, -- T(K) of the measured work
    overhead_per_node_hour double precision NOT NULL DEFAULT 0, -- of pools split by node-hours
    PRIMARY KEY (statement_month, family, k)
);

-- What the coordination waste of a family on K nodes consists of, by cost centre (null: none), if
-- traces or samples show it. The parts add up to the waste of its jobs.
CREATE TABLE family_waste (
    statement_month             date NOT NULL,
    family                      text NOT NULL,
    k                           integer NOT NULL, -- in the family's unit
    cost_centre                 text,
    shares_from                 text NOT NULL CHECK (shares_from IN ('trace', 'samples')),
    waste_minor                 bigint NOT NULL,
    exposed_communication_minor bigint NOT NULL,
    idle_minor                  bigint NOT NULL,
    other_minor                 bigint NOT NULL,
    UNIQUE NULLS NOT DISTINCT (statement_month, family, k, cost_centre),
    CHECK (exposed_communication_minor + idle_minor + other_minor = waste_minor)
);

-- The rates of interruption that the statement used for K*. A family and capacity without a row is
-- not interrupted.
CREATE TABLE family_interruption (
    statement_month    date NOT NULL,
    family             text NOT NULL,
    capacity           text NOT NULL CHECK (capacity IN ('on demand', 'spot')),
    rate_per_node_hour double precision NOT NULL,
    rate_per_k_hour    double precision NOT NULL, -- in the family's unit
    -- 'declared', 'measured', 'prior', 'measured, few failures', 'nothing to measure'
    rate_from          text NOT NULL,
    -- for a measured rate: attempts that a failing node ended …
    failures           bigint,
    -- … and the node-hours of all attempts, in the trailing window
    node_hours         numeric,
    checkpoint_hours   double precision NOT NULL,
    restart_hours      double precision NOT NULL,
    PRIMARY KEY (statement_month, family, capacity)
);

-- A flag in words: "64 nodes cost USD 23,573.11 more than 16 and saved 17.0 hours: right only if an
-- hour is worth more than USD 1,390". Below the band: "2 nodes cost USD 1,229.44 more than 4 and
-- took 18.5 hours longer". For a job over a month's end the hours are those in the month. What
-- waiting was counted at follows. The function returns a row to join with, because the planner
-- writes only such a function into the query: calling it for each flag takes ten times as long.
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
                 -- hours saved that count in the month
                 (flag).excess_minor / nullif((flag).break_even_minor, 0) AS counted,
                 rough_text((flag).break_even_minor::numeric * ('1e-' || digits)::numeric) AS break_even) AS compared;
END;

-- The dearest flag in words. Jobs may be on several servers, which have no flags, so the flag is
-- looked up first and then its job.
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

-- What kstar could not judge in a month, for each scope: '' is everybody, or else a cost centre.
-- Each row has the money behind it, and the file and row that would correct it. Node-hours without
-- a price count at the mean price of the others (null: there is none). A job may be in several
-- rows. `phrase` is the row's part of the sentence.
CREATE FUNCTION coverage_items(of_month date, scopes text[])
RETURNS TABLE (scope text, "position" integer, item text, jobs bigint, quantity numeric, whole numeric, unit text, minor_units bigint, meaning text,
               mend text, phrase text)
LANGUAGE sql STABLE
BEGIN ATOMIC
    WITH book AS (
        SELECT unnest(scopes) AS scope
    ), alike AS MATERIALIZED ( -- jobs with equal properties are one row
        SELECT cost_centre, unpriced_node_hours > 0.01 AS is_unpriced, family IS NULL AS lacks_family,
               efficiency IS NULL AND outcome = 'productive' AS lacks_efficiency,
               node_hours = 0 AND shareless_node_hours = 0 AND wall_hours > 0 AS lacks_nodes, shareless_node_hours > 0 AS is_shareless,
               provisional, low_confidence, base_state = 'UNKNOWN' AS is_unknown, count(*) AS jobs, sum(node_seconds) / 3600 AS node_hours,
               sum(wall_seconds) / 3600 AS wall_hours, sum(unpriced_node_hours::numeric) FILTER (WHERE unpriced_node_hours > 0) AS unpriced_node_hours,
               sum(shareless_node_hours::numeric) FILTER (WHERE shareless_node_hours > 0) AS shareless_node_hours, sum(true_cost_minor) AS minor_units,
               sum(price_per_node_hour::numeric * priced.hours) AS priced_cost,
               sum(priced.hours) FILTER (WHERE price_per_node_hour IS NOT NULL) AS priced_node_hours
        FROM job_result
        -- OFFSET 0: computed once, not for each sum
        CROSS JOIN LATERAL (SELECT (node_hours - unpriced_node_hours)::numeric AS hours OFFSET 0) AS priced
        WHERE statement_month = of_month
        GROUP BY 1, 2, 3, 4, 5, 6, 7, 8, 9
    ), held AS (
        SELECT scope, sum(node_hours) AS node_hours,
               sum(priced_cost) / nullif(sum(priced_node_hours), 0) * 10::numeric ^ (SELECT minor_unit_digits FROM statement WHERE statement_month = of_month)
                   AS mean_minor
        FROM book
        JOIN alike ON scope IN ('', cost_centre)
        GROUP BY scope
    ), counted AS (
        SELECT scope, of_centre.position, sum(jobs)::bigint AS jobs, round(sum(quantity), 6) AS quantity, sum(minor_units)::bigint AS minor_units
        FROM book
        JOIN (SELECT cost_centre, question.position, jobs, hours AS quantity, minor_units
              FROM alike
              CROSS JOIN LATERAL (VALUES
                  (1, is_unpriced, unpriced_node_hours),
                  (3, lacks_family, node_hours),
                  (4, lacks_efficiency, node_hours),
                  (6, cost_centre IS NULL, node_hours),
                  (7, lacks_nodes, wall_hours),
                  (8, is_shareless, shareless_node_hours),
                  (9, provisional, wall_hours),
                  (10, low_confidence, node_hours),
                  (11, is_unknown, node_hours)
                ) AS question (position, holds, hours)
              WHERE holds) AS of_centre ON scope IN ('', cost_centre)
        GROUP BY scope, of_centre.position
        UNION ALL
        SELECT scope, 2, count(*), round(sum(node_hours), 6), sum(minor_units)::bigint
        FROM statement_idle
        JOIN book ON scope = ''
        WHERE statement_month = of_month AND NOT is_held
        GROUP BY scope
        UNION ALL
        SELECT scope, 5, NULL, NULL, sum(minor_units)::bigint
        FROM statement_sum
        JOIN book ON scope = ''
        WHERE statement_month = of_month AND block = 'invoice' AND reason = 'no rule matches'
        GROUP BY scope
        HAVING sum(minor_units) <> 0
        UNION ALL
        SELECT scope, 12, NULL, round(sum(quantity), 6),
               (SELECT sum(minor_units) FROM statement_sum
                WHERE statement_month = of_month AND block = 'invoice' AND reason = 'awaiting job records')::bigint
        FROM statement_note
        JOIN book ON scope = ''
        WHERE statement_month = of_month AND kind = 'awaiting job records' AND unit = 'node-hours' -- not of an adjustment
        GROUP BY scope
        UNION ALL -- rows of the bill: the number without a cost, and the cost of the others
        SELECT scope, 13, sum(unread), NULL, sum(minor_units)::bigint
        FROM (SELECT minor_units, 0 AS unread FROM statement_sum
              WHERE statement_month = of_month AND block = 'invoice' AND reason = 'quarantined'
              UNION ALL
              SELECT NULL, 1 FROM statement_note WHERE statement_month = of_month AND kind = 'unread money') AS row_of_bill
        JOIN book ON scope = ''
        GROUP BY scope
    )
    SELECT scope, counted.position, item, CASE WHEN counted.position <> 13 THEN jobs END, counted.quantity,
           CASE WHEN counted.position = 1 THEN held.node_hours END, unit, money.minor_units, meaning, mend,
           CASE counted.position
               WHEN 1 THEN format('%s of %s node-hours are on no bill', quantity_text(counted.quantity), quantity_text(held.node_hours))
               WHEN 2 THEN format('no job held %s of the bill''s nodes, %s', jobs, amount.words)
               WHEN 3 THEN format('jobs of %s lack a family', amount.words)
               WHEN 4 THEN format('jobs of %s lack a measurement', amount.words)
               WHEN 5 THEN format('%s on the bill matches no rule', amount.words)
               WHEN 7 THEN CASE jobs WHEN 1 THEN 'the record of 1 job names no node' ELSE format('the records of %s jobs name no node', jobs) END
               WHEN 12 THEN format('%s node-hours wait for job records of %s, %s, before the month can be closed', quantity_text(counted.quantity),
                                   (SELECT string_agg(DISTINCT subject COLLATE "C", ' and ' ORDER BY subject COLLATE "C") FROM statement_note
                                    WHERE statement_month = of_month AND kind = 'awaiting job records' AND unit = 'node-hours'), amount.words)
               WHEN 13 THEN concat_ws(', and ', amount.words || ' on the bill is quarantined',
                                      CASE WHEN jobs = 1 THEN '1 row has no cost that can be read'
                                           WHEN jobs > 1 THEN jobs || ' rows have no cost that can be read' END) END
    FROM counted
    JOIN (VALUES
        (1, 'Node-hours that no bill names', 'node-hours', 'No bill and no internal rate prices the node or the managed job; the money is an estimate, at the mean price of the others',
            'nodes.csv: cluster and node of the job records, resource_id of the bill; or node_rates.csv: amount_per_node_hour. A managed job: a bill with its resource'),
        (2, 'Nodes of the bill that no job held', 'node-hours', 'In the list of nodes, billed, and in no job record of the month',
            'nodes.csv: the node''s name as the job records have it'),
        (3, 'Jobs without family', 'node-hours', 'No family rule names them: K* cannot be found',
            'family_rules.csv: match, pattern, family'),
        (4, 'Efficiency not measured', 'node-hours', 'Their hardware is unmeasured: neither useful nor waste',
            'efficiency/: a row per measured K of the family; review, Measure next'),
        (5, 'Cost without rule', NULL, 'Lines that are no job''s and no node''s: unallocated',
            'mapping_rules.csv or pool_rules.csv: match, pattern, cost_centre or pool'),
        (6, 'Jobs without cost centre', 'node-hours', 'No mapping rule names them: unallocated',
            'mapping_rules.csv: match job_account or job_user, pattern, cost_centre'),
        (7, 'Jobs without nodes', 'wall hours', 'Ran, but no record says on which node: they bear no hardware',
            'jobs/: an export with the nodes'),
        (8, 'Nodes held for nothing', 'node-hours', 'Held without any of the node''s accelerators: nothing is charged for it', NULL),
        (9, 'Still running', 'wall hours', 'Charged up to the last record of their source, or as far as exports tell of them', 'jobs/: a later export'),
        (10, 'Low confidence', 'node-hours', 'Judged by measurements that are too few, too noisy, too far from K, or perhaps of other hardware', 'efficiency/: more measured K; review, Measure next'),
        (11, 'Unknown state', 'node-hours', 'Counted as productive until the state is known', NULL),
        (12, 'Time without job records', 'node-hours', 'Billed after the last job record of the cluster: unallocated until the records come',
            'jobs/: an export up to the month''s end'),
        (13, 'Quarantined rows', NULL, 'Rows of the bill that cannot be read: unallocated; without a cost not on the statement',
            'the bill: the rows that kstar ingest quarantine lists')
      ) AS explained (position, item, unit, meaning, mend) ON explained.position = counted.position
    LEFT JOIN held USING (scope)
    JOIN statement ON statement_month = of_month
    CROSS JOIN LATERAL (SELECT CASE WHEN counted.position = 1 THEN round(counted.quantity * mean_minor)::bigint ELSE counted.minor_units END) AS money (minor_units)
    CROSS JOIN LATERAL (SELECT statement_currency || ' ' || money_text(money.minor_units, minor_unit_digits)) AS amount (words)
    ORDER BY scope COLLATE "C", counted.position;
END;

-- The same as one sentence for each scope. That of everybody also names unallocated cost.
CREATE FUNCTION coverage_texts(of_month date, scopes text[]) RETURNS TABLE (scope text, coverage text)
LANGUAGE sql STABLE
BEGIN ATOMIC
    SELECT book.scope,
           coalesce('Not seen: ' || string_agg(phrase, '; ' ORDER BY "position") || '.',
                    'Everything was seen: each node-hour is on a bill, each job has a family and a measurement, each line a rule.')
           || CASE WHEN book.scope = '' THEN coalesce(open.words, '') ELSE '' END
    FROM unnest(scopes) AS book (scope)
    LEFT JOIN coverage_items(of_month, scopes) AS item USING (scope)
    CROSS JOIN (SELECT ' Unallocated: ' || string_agg(format('%s %s of %s', statement_currency, money_text(minor_units, minor_unit_digits), whose), ' and '
                                                       ORDER BY is_internal) || '.' AS words
                FROM (SELECT block <> 'invoice' AS is_internal, sum(minor_units) AS minor_units
                      FROM statement_sum
                      WHERE statement_month = of_month AND line_type = 'unallocated'
                      GROUP BY block <> 'invoice'
                      HAVING sum(minor_units) <> 0) AS unallocated
                JOIN statement ON statement_month = of_month
                CROSS JOIN LATERAL (SELECT CASE WHEN is_internal THEN 'internal charges' ELSE 'the invoices' END) AS of_what (whose)) AS open
    GROUP BY book.scope, open.words;
END;

-- How certain the verdicts of a month are, for each scope ('' is everybody, or else a cost centre):
-- the cost of hardware of jobs with a certain verdict, with one of low confidence, with one from
-- production measurements alone, and without one.
CREATE FUNCTION verdict_coverage(of_month date, scopes text[])
RETURNS TABLE (scope text, hardware_minor bigint, sure_minor bigint, low_minor bigint, production_minor bigint, none_minor bigint)
LANGUAGE sql STABLE
BEGIN ATOMIC
    SELECT book.scope, coalesce(sum(minor), 0)::bigint,
           coalesce(sum(minor) FILTER (WHERE is_judged AND NOT low_confidence), 0)::bigint,
           coalesce(sum(minor) FILTER (WHERE is_judged AND low_confidence AND NOT from_production), 0)::bigint,
           coalesce(sum(minor) FILTER (WHERE is_judged AND low_confidence AND from_production), 0)::bigint,
           coalesce(sum(minor) FILTER (WHERE NOT is_judged), 0)::bigint
    FROM unnest(scopes) AS book (scope)
    LEFT JOIN (SELECT cost_centre, low_confidence, from_production, verdict NOT IN ('not measured', 'extrapolated') AS is_judged,
                      sum(greatest(useful_compute_minor + coordination_waste_minor + unmeasured_hardware_minor + failed_runs_minor + cancelled_minor, 0))
                          AS minor
               FROM job_result
               -- no measurement would judge what only has cost of another month's hours
               WHERE statement_month = of_month AND (wall_hours > 0 OR price_per_node_hour IS NOT NULL)
               GROUP BY 1, 2, 3, 4) AS judged ON book.scope IN ('', cost_centre)
    GROUP BY book.scope;
END;

-- The first lines of a workbook and of the night's summary, for each scope ('' is everybody, or
-- else a cost centre): total cost; the dearest flag; what kstar could not judge; the share of job
-- cost with a verdict, and what an hour of waiting was counted at; the possible saving by resizing
-- flagged jobs (null: none is flagged); how certain the verdicts are (null: no job has hardware).
-- All scopes are made in one pass over the results.
CREATE FUNCTION headlines(of_month date, scopes text[])
RETURNS TABLE (scope text, cost text, headline text, coverage text, judged text, saving text, measured text)
LANGUAGE sql STABLE
BEGIN ATOMIC
    WITH top AS MATERIALIZED (
        SELECT DISTINCT ON (cost_centre) cost_centre, excess_minor, attempt_id
        FROM flagged_job
        WHERE statement_month = of_month
        ORDER BY cost_centre, excess_minor DESC NULLS LAST, attempt_id
    ), dearest AS (
        SELECT DISTINCT ON (seen.scope) seen.scope, flag
        FROM top
        CROSS JOIN LATERAL (VALUES (''), (cost_centre)) AS seen (scope)
        -- Only the rows of these few flags are read whole: sorting the whole rows of all takes a
        -- second.
        JOIN (SELECT flagged_job AS flag
              FROM flagged_job
              WHERE statement_month = of_month AND attempt_id = ANY (ARRAY(SELECT attempt_id FROM top))) AS whole
             ON (flag).attempt_id = top.attempt_id
        WHERE seen.scope = ANY (scopes)
        ORDER BY seen.scope, top.excess_minor DESC NULLS LAST, top.attempt_id
    ), paid AS (
        SELECT seen.scope, coalesce(sum(minor_units) FILTER (WHERE statement_month = of_month), 0) AS true_minor,
               sum(minor_units) FILTER (WHERE statement_month < of_month) AS before_minor
        FROM (SELECT statement_month, cost_centre, sum(minor_units) AS minor_units
              FROM statement_sum
              JOIN statement USING (statement_month)
              WHERE statement_month IN (of_month, (of_month - interval '1 month')::date) AND line_type = 'charge'
                AND (block = 'invoice' OR is_of_attempts)
                AND statement_currency = (SELECT this.statement_currency FROM statement AS this WHERE this.statement_month = of_month)
              GROUP BY statement_month, cost_centre) AS of_centre
        CROSS JOIN LATERAL (VALUES (''), (cost_centre)) AS seen (scope)
        GROUP BY seen.scope
    ), first_of_centre AS MATERIALIZED (
        -- a heterogeneous job is one job of each cost centre that has a part of it
        SELECT min(attempt_id) AS attempt_id
        FROM job_result
        WHERE statement_month = of_month AND judged_with IS NOT NULL
        GROUP BY judged_with, cost_centre
    ), alike AS ( -- jobs with equal properties are one row
        SELECT cost_centre, is_covered, is_covered AND verdict NOT IN ('not measured', 'extrapolated') AS is_judged, is_flagged,
               is_flagged AND is_attainable AS can, waiver IS NOT NULL AS is_waived, low_confidence,
               count(*) FILTER (WHERE coalesce(judged_with, attempt_id) = attempt_id) AS jobs,
               count(*) FILTER (WHERE judged_with IS NULL OR first.attempt_id IS NOT NULL) AS jobs_of_centre,
               sum(cost_minor) AS cost_minor, min(waiting_per_hour) AS cheapest_hour, max(waiting_per_hour) AS dearest_hour,
               sum(cash_saving_minor) AS cash_minor, sum(freed_capacity_minor) AS capacity_minor
        FROM job_result
        LEFT JOIN first_of_centre AS first USING (attempt_id)
        CROSS JOIN LATERAL (SELECT is_flag(verdict), outcome <> 'not started' AND (wall_hours > 0 OR price_per_node_hour IS NOT NULL))
                   AS one (is_flagged, is_covered)
        WHERE statement_month = of_month
        GROUP BY 1, 2, 3, 4, 5, 6, 7
    ), counted AS (
        SELECT book.scope, coalesce(jobs, 0) AS jobs, coalesce(judged, 0) AS judged, all_minor, coalesce(judged_minor, 0) AS judged_minor, cheapest_hour,
               dearest_hour, coalesce(flags, 0) AS flags, coalesce(attainable, 0) AS attainable, coalesce(waived, 0) AS waived, coalesce(sure, 0) AS sure,
               coalesce(unsure, 0) AS unsure, coalesce(capacity, 0) AS capacity
        FROM unnest(scopes) AS book (scope)
        LEFT JOIN (SELECT seen.scope,
                          sum(seen.jobs) FILTER (WHERE is_covered) AS jobs, sum(seen.jobs) FILTER (WHERE is_judged) AS judged,
                          sum(cost_minor) FILTER (WHERE is_covered) AS all_minor, sum(cost_minor) FILTER (WHERE is_judged) AS judged_minor,
                          min(cheapest_hour) FILTER (WHERE is_judged) AS cheapest_hour, max(dearest_hour) FILTER (WHERE is_judged) AS dearest_hour,
                          sum(seen.jobs) FILTER (WHERE is_flagged) AS flags, sum(seen.jobs) FILTER (WHERE can) AS attainable,
                          sum(seen.jobs) FILTER (WHERE is_flagged AND is_waived) AS waived,
                          sum(cash_minor) FILTER (WHERE can AND NOT low_confidence) AS sure,
                          sum(cash_minor) FILTER (WHERE can AND low_confidence) AS unsure, sum(capacity_minor) FILTER (WHERE can) AS capacity
                   FROM alike
                   CROSS JOIN LATERAL (VALUES ('', jobs), (cost_centre, jobs_of_centre)) AS seen (scope, jobs)
                   GROUP BY seen.scope) AS of_scope USING (scope)
    )
    SELECT scope,
           format('%s cost %s %s in %s%s.', CASE scope WHEN '' THEN 'All cost centres together' ELSE scope END, statement_currency,
                  money_text(coalesce(true_minor, 0), minor_unit_digits), to_char(of_month, 'FMMonth YYYY'),
                  CASE WHEN before_minor > 0
                       THEN format(', %s in %s', CASE WHEN change = 0 THEN 'as much as' WHEN change < 0 THEN format('%s %% less than', -change)
                                                      ELSE format('%s %% more than', change) END,
                                   to_char(of_month - interval '1 month', 'FMMonth')) ELSE '' END),
           CASE WHEN flags > 0 THEN coalesce(headline_text(flag), 'A flagged job of which it has a part stands with another cost centre.')
                WHEN judged < jobs THEN 'No job is flagged, but not every job was judged.'
                ELSE 'No job is flagged: there is nothing to save by resizing.' END,
           coverage,
           CASE WHEN jobs = 0 THEN 'No job ran: there is none to judge.'
                ELSE format('%s of %s %s judged, with %s of what jobs cost; %s; %s.', judged, jobs,
                  CASE WHEN jobs = 1 THEN 'job was' WHEN judged = 1 THEN 'jobs was' ELSE 'jobs were' END,
                  coalesce(round(100 * judged_minor / nullif(all_minor, 0), 1) || ' %', 'none'),
                  CASE WHEN judged = jobs THEN 'none is left' WHEN judged = 0 THEN 'nobody knows whether they should be resized'
                       ELSE 'of the others nobody knows whether they should be resized' END,
                  waiting_text(cheapest_hour::numeric, dearest_hour::numeric, statement_currency)) END,
           CASE WHEN flags > 0
                THEN format('Resizing %s of %s flagged %s would %s.', attainable, flags, CASE flags WHEN 1 THEN 'job' ELSE 'jobs' END || as_it_is,
                            coalesce(nullif(concat_ws(', and ', 'save ' || statement_currency || ' ' || nullif(cash, ''),
                                                      CASE WHEN capacity <> 0 THEN format('free capacity of %s %s', statement_currency,
                                                                                          money_text(capacity, minor_unit_digits)) END), ''),
                                     'save nothing')) END,
           CASE WHEN hardware_minor <> 0
                THEN format('Of what the hardware of jobs cost, %s %% has a sure verdict, %s %% one of low confidence, %s%s %% none.', sure_share, low_share,
                            CASE WHEN production_minor <> 0 THEN production_share || ' % one measured in production, ' ELSE '' END, none_share) END
    FROM counted
    JOIN coverage_texts(of_month, scopes) USING (scope)
    JOIN verdict_coverage(of_month, scopes) AS known USING (scope)
    CROSS JOIN LATERAL (SELECT round(100.0 * sure_minor / nullif(hardware_minor, 0), 1), round(100.0 * low_minor / nullif(hardware_minor, 0), 1),
                               round(100.0 * production_minor / nullif(hardware_minor, 0), 1), round(100.0 * none_minor / nullif(hardware_minor, 0), 1))
               AS share (sure_share, low_share, production_share, none_share)
    LEFT JOIN dearest USING (scope)
    LEFT JOIN paid USING (scope)
    CROSS JOIN LATERAL (SELECT coalesce(' (' || nullif(concat_ws(', ', CASE WHEN waived > 0 THEN waived || ' waived' END,
                                                                 CASE WHEN flags - attainable - waived > 0
                                                                      THEN flags - attainable - waived || ' late on K*' END), '') || ')', ''))
               AS kept (as_it_is)
    CROSS JOIN LATERAL (SELECT round(100.0 * (coalesce(true_minor, 0) - before_minor) / nullif(before_minor, 0), 1) AS change) AS on_last_month
    JOIN statement ON statement_month = of_month
    CROSS JOIN LATERAL (SELECT concat_ws(' and ', CASE WHEN sure <> 0 THEN money_text(sure, minor_unit_digits) || ' in cash for sure' END,
                                         CASE WHEN unsure <> 0 THEN money_text(unsure, minor_unit_digits) || ' in cash at low confidence' END))
               AS saved (cash);
END;
