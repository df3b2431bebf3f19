-- What the sheets of one month share. The queries of this folder run in psql as they are, after:
--
--     \i report/00_session.sql
--     BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY;
--     SELECT set_in_transaction('kstar.statement_month', '2026-09-01'),
--            set_in_transaction('kstar.cost_centre', '');
--     \i report/01_lines.sql -- and 02 to 05
--
-- kstar.cost_centre is the cost centre of the workbook; '' is everybody's workbook. A READ ONLY
-- transaction may fill a temporary table but not create one, so the tables are created before it.

-- The statement's rows, added up to what a reader books: one for each invoice, section, cost centre
-- and component (or subject). Amounts of jobs have rows of their own. `statement_row` is the row of
-- the sheet Statement that adds up these rows.
CREATE TEMP TABLE IF NOT EXISTS report_line (
    section             smallint NOT NULL,
    statement_row       integer NOT NULL,
    invoice_no          integer,
    centre_no           integer, -- null: no part of a cost centre's true cost
    component_no        integer, -- likewise
    source              text,
    invoice_issuer_name text,
    invoice_id          text,
    cost_centre         text,
    cost_centre_name    text,
    component           text,
    subject             text,    -- reason, account, commitment, service or carrier's transfer
    gl_account          text,
    on_job              boolean NOT NULL,
    currency            text NOT NULL,
    billed_cost         numeric NOT NULL,
    effective_cost      numeric NOT NULL,
    minor_units         bigint NOT NULL
) ON COMMIT DELETE ROWS;

-- Invoices of the month in the order in which every sheet numbers them.
CREATE TEMP TABLE IF NOT EXISTS report_invoice (
    invoice_no  integer NOT NULL,
    invoice_key bigint NOT NULL
) ON COMMIT DELETE ROWS;

CREATE TEMP TABLE IF NOT EXISTS report_section (
    section smallint PRIMARY KEY,
    title   text NOT NULL
) ON COMMIT DELETE ROWS;

-- Adjustments to closed months. adjustment_row numbers the rows of the statement's second block,
-- each of which adds up those of one cost centre and component. Sections: 1 charged, 2 elsewhere, 3
-- internal charges.
CREATE TEMP TABLE IF NOT EXISTS report_adjustment (
    adjustment_row integer NOT NULL,
    section        smallint NOT NULL,
    adjusted_month text NOT NULL,
    source         text NOT NULL,
    line_type      text NOT NULL,
    cost_centre    text,
    component      text,
    subject        text NOT NULL,
    gl_account     text,             -- on which it is booked
    in_suspense    boolean NOT NULL, -- its cost centre takes no posting any more
    frozen_minor   bigint NOT NULL,
    adjusted_minor bigint NOT NULL,
    replayed_minor bigint NOT NULL,
    minor_units    bigint NOT NULL
) ON COMMIT DELETE ROWS;

-- The journal (report/journal.sql): one row about the whole of it, and its lines.
CREATE TEMP TABLE IF NOT EXISTS report_journal (
    statement_month      date NOT NULL,
    company              text NOT NULL,
    currency             text NOT NULL,
    minor_unit_digits    integer NOT NULL,
    kind                 text NOT NULL,
    accounting_date      date NOT NULL,
    reversal_date        date,
    source               text NOT NULL,
    clearing_account     text NOT NULL,
    suspense_account     text NOT NULL,
    internal             text[] NOT NULL, -- the internal charges to book (setting journal_internal)
    content_sha256       text,
    issue_number         integer,         -- null: a preview
    lacking              text             -- missing settings: their accounts are words
) ON COMMIT DELETE ROWS;

CREATE TEMP TABLE IF NOT EXISTS report_journal_line (LIKE kstar.journal_line) ON COMMIT DELETE ROWS;
ALTER TABLE report_journal_line DROP COLUMN IF EXISTS statement_month, DROP COLUMN IF EXISTS issue_number;

-- The setting that gives the account of a line, if the line has none of its own, or if its cost
-- centre takes no posting any more. The journal uses it, and the sheets that show adjustments.
CREATE OR REPLACE FUNCTION pg_temp.account_setting(line_type text, in_suspense boolean) RETURNS text
LANGUAGE sql IMMUTABLE
RETURN CASE WHEN in_suspense OR line_type IN ('charge', 'credit') THEN 'suspense' ELSE replace(line_type, ' ', '_') END || '_gl_account';

-- The documents of the journal. A document is one entry of the ledger: the lines of one company,
-- currency and reversal date. The journal's own document has the posting key. The opening reversal
-- is a document of its own, under that key and an R, if its reversal date or currency differs.
CREATE OR REPLACE TEMP VIEW report_journal_document AS
SELECT row_number() OVER (ORDER BY booked.company COLLATE "C", is_own DESC)::integer AS document_no,
       booked.company, booked.currency, booked.minor_unit_digits, booked.reversal_date,
       CASE WHEN booked.reversal_date IS NULL THEN 'final' ELSE 'accrual' END AS kind,
       journal_posting_key(booked.company, statement_month, issue_number) || CASE WHEN is_own THEN '' ELSE 'R' END AS posting_key,
       booked.debit, booked.credit
FROM (SELECT company, currency, minor_unit_digits, reversal_date,
             coalesce(sum(minor_units) FILTER (WHERE minor_units > 0), 0)::bigint AS debit,
             coalesce(-sum(minor_units) FILTER (WHERE minor_units < 0), 0)::bigint AS credit
      FROM (SELECT company, currency, minor_unit_digits, reversal_date, minor_units FROM report_journal_line
            UNION ALL
            SELECT company, currency, minor_unit_digits, reversal_date, 0 FROM report_journal) AS line
      GROUP BY company, currency, minor_unit_digits, reversal_date) AS booked
CROSS JOIN report_journal
CROSS JOIN LATERAL (SELECT booked.currency = report_journal.currency
                           AND booked.reversal_date IS NOT DISTINCT FROM report_journal.reversal_date AS is_own) AS ownership;

-- What failing costs (schema/15_run_groups.sql), in the windows of this statement and of the one
-- before.
CREATE TEMP TABLE IF NOT EXISTS report_failed_factor (
    statement_month     date NOT NULL,
    window_from         date NOT NULL,
    cost_centre         text NOT NULL, -- '*': all
    family              text NOT NULL,
    failed_attempts     bigint NOT NULL,
    productive_attempts bigint NOT NULL,
    cancelled_attempts  bigint NOT NULL,
    failed_minor        bigint NOT NULL,
    productive_minor    bigint NOT NULL,
    cancelled_minor     bigint NOT NULL,
    factor              numeric,
    factor_from         text NOT NULL
) ON COMMIT DELETE ROWS;

CREATE TEMP TABLE IF NOT EXISTS report_failed_state (
    cost_centre text NOT NULL,
    state       text NOT NULL,
    outcome     text NOT NULL,
    attempts    bigint NOT NULL,
    node_hours  numeric NOT NULL,
    cost_minor  bigint NOT NULL
) ON COMMIT DELETE ROWS;

-- Who takes what part of each pool: the weights of the month (hours, cost or shares, by the pool's
-- split) and cents.
CREATE TEMP TABLE IF NOT EXISTS report_pool_part (
    pool_no     integer NOT NULL,
    pool        text NOT NULL,
    component   text,
    cost_centre text,            -- null: nobody, for `reason`
    reason      text,
    weight      numeric,         -- null: only parts by the weights of closed months
    pool_weight numeric,         -- of all its parts
    on_jobs     bigint NOT NULL, -- attempts among them
    minor_units bigint,          -- charged; null: nobody's
    unallocated_minor bigint     -- nobody's
) ON COMMIT DELETE ROWS;

-- The cost centres that may see a pool: those that pay a part of it, and, if it has idle nodes, its
-- owner on the month's last day.
CREATE OR REPLACE TEMP VIEW report_pool_seen AS
SELECT pool, cost_centre, false AS is_owner FROM report_pool_part WHERE cost_centre IS NOT NULL
UNION ALL
SELECT DISTINCT stated_pool.pool, owner, true
FROM stated_pool
JOIN statement_idle USING (statement_month, pool)
WHERE statement_month = (SELECT current_setting('kstar.statement_month')::date)
  AND valid_from <= (statement_month + interval '1 month' - interval '1 day')::date
  AND valid_to > (statement_month + interval '1 month' - interval '1 day')::date;

-- The run groups with an attempt in this statement or a row in run_group_units.csv, and all their
-- attempts by the latest statements up to this one. Each row is what an attempt cost in one
-- statement. came_of_it and is_running are those of the attempt's latest statement. Other tables
-- are filled from this one; no sheet reads it.
CREATE TEMP TABLE IF NOT EXISTS working_run_row (
    run_group        text NOT NULL,
    attempt_id       bigint NOT NULL,
    run              bigint NOT NULL, -- one of all components of a heterogeneous job
    commented_tokens numeric,
    cost_centre      text,
    family           text,
    start_time       timestamptz,
    end_time         timestamptz,
    true_cost_minor  bigint NOT NULL,
    statement_month  date NOT NULL,
    is_latest        boolean NOT NULL,
    came_of_it       text NOT NULL,
    is_running       boolean NOT NULL,
    ran_until_now    boolean
) ON COMMIT DELETE ROWS;

-- The rows of the sheet "Attempts" in the workbook of each scope ('' or a cost centre): run groups
-- with more than one attempt, or without a result. A cost centre has the attempts that it paid.
CREATE TEMP TABLE IF NOT EXISTS report_attempt_row (
    scope           text NOT NULL,
    run_group       text NOT NULL,
    result          text NOT NULL,
    run             bigint NOT NULL,
    attempt_id      bigint NOT NULL,
    statement_month date NOT NULL,
    is_listed       boolean NOT NULL -- else it is added up with others
) ON COMMIT DELETE ROWS;

-- The jobs of the month: on which sheets each has a row or a name, by its rank among the dearest.
CREATE TEMP TABLE IF NOT EXISTS report_place (
    attempt_id         bigint NOT NULL,
    cost_centre        text,
    family             text,
    place_in_centre    bigint NOT NULL, -- its rank by true cost among the jobs of its cost centre
    -- Has a row on the sheet "Jobs" of all cost centres (setting workbook_jobs).
    is_listed          boolean NOT NULL,
    -- Is named on the sheet "Tidy data" of all cost centres, or of its own: the setting tidy_jobs.
    is_named           boolean NOT NULL,
    is_named_in_centre boolean NOT NULL
) ON COMMIT DELETE ROWS;

-- The rows of the workbook's scope: the month's results, the statement's sums, and which jobs are
-- among the dearest.
CREATE OR REPLACE TEMP VIEW scope_result AS
SELECT * FROM job_result WHERE statement_month = (SELECT current_setting('kstar.statement_month')::date) AND current_setting('kstar.cost_centre') = ''
UNION ALL
SELECT * FROM job_result WHERE statement_month = (SELECT current_setting('kstar.statement_month')::date) AND cost_centre = current_setting('kstar.cost_centre');

CREATE OR REPLACE TEMP VIEW scope_sum AS
SELECT * FROM statement_sum
WHERE statement_month = (SELECT current_setting('kstar.statement_month')::date) AND (SELECT current_setting('kstar.cost_centre')) IN ('', cost_centre);

CREATE OR REPLACE TEMP VIEW scope_place AS
SELECT attempt_id, cost_centre, family, is_listed,
       -- a sub-select is evaluated once, not for each row
       CASE (SELECT current_setting('kstar.cost_centre')) WHEN '' THEN is_named ELSE is_named_in_centre END AS is_named
FROM report_place
WHERE (SELECT current_setting('kstar.cost_centre')) IN ('', cost_centre);

-- The facts of the sheet "Tidy data" (tidy_count.sql) in the workbook of each scope ('' or a cost
-- centre).
CREATE TEMP TABLE IF NOT EXISTS report_tidy (
    scope            text NOT NULL,
    measure          text NOT NULL,
    cost_centre      text,
    component_no     integer,
    component        text,
    pool             text,
    attempt_id       bigint,
    is_rest          boolean NOT NULL, -- the sum of jobs that are not among the dearest
    family           text,
    subject          text,
    reason           text,
    gl_account       text,
    invoice_no       integer,
    billing_currency text,
    unit             text NOT NULL,
    amount           numeric NOT NULL
) ON COMMIT DELETE ROWS;

-- The results that count in the month (docs/unit-costs.md), added up.
CREATE TEMP TABLE IF NOT EXISTS report_unit_cost (
    cost_centre          text,   -- null: nobody
    family               text,
    results              bigint NOT NULL,
    succeeded            bigint NOT NULL,
    models               bigint NOT NULL,
    true_cost_minor      bigint NOT NULL,
    without_result_minor bigint NOT NULL, -- its part for attempts that did not succeed
    -- cost and tokens of results with known tokens; null: there are none
    token_cost_minor     bigint,
    trained_tokens       numeric
) ON COMMIT DELETE ROWS;

-- The results that run_group_units.csv declares or whose tokens are known: a row for each cost
-- centre that paid a part.
CREATE TEMP TABLE IF NOT EXISTS report_result (
    run_group      text NOT NULL,
    cost_centre    text,             -- null: nobody
    family         text,
    result         text NOT NULL,    -- of the cost centre's own attempts
    attempts       bigint NOT NULL,  -- its own
    last_end       timestamptz,
    delivered_on   date,
    is_shared      boolean NOT NULL, -- others paid a part as well
    -- all of them are on the row of the cost centre with the latest productive attempt
    models         bigint NOT NULL,
    trained_tokens numeric,          -- likewise
    true_cost_minor      bigint NOT NULL,
    without_result_minor bigint NOT NULL
) ON COMMIT DELETE ROWS;

-- Who gets a workbook: '' is everybody, else a cost centre.
CREATE TEMP TABLE IF NOT EXISTS report_scope (scope text NOT NULL) ON COMMIT DELETE ROWS;

-- For the workbook of each scope: its first lines, what kstar could not see, and what to measure
-- next.
CREATE TEMP TABLE IF NOT EXISTS report_headline ON COMMIT DELETE ROWS AS SELECT * FROM kstar.headlines(NULL, NULL) WITH NO DATA;
CREATE TEMP TABLE IF NOT EXISTS report_coverage ON COMMIT DELETE ROWS AS SELECT * FROM kstar.coverage_items(NULL, NULL) WITH NO DATA;
CREATE TEMP TABLE IF NOT EXISTS report_experiment ON COMMIT DELETE ROWS AS SELECT * FROM kstar.next_experiments(NULL, NULL) WITH NO DATA;

-- The month's flags, and the node counts of its jobs. Both are worked out once, because the view
-- flagged_job reads all results of the month.
CREATE TEMP TABLE IF NOT EXISTS report_flag (LIKE kstar.flagged_job) ON COMMIT DELETE ROWS;

-- The flags that the review lists. The others are one row.
CREATE TEMP TABLE IF NOT EXISTS report_listed_flag (attempt_id bigint NOT NULL) ON COMMIT DELETE ROWS;

CREATE TEMP TABLE IF NOT EXISTS report_run_size (
    cost_centre  text,
    family       text,
    k            integer,
    jobs         bigint NOT NULL,
    cost_minor   numeric,
    excess_minor numeric -- of flags
) ON COMMIT DELETE ROWS;

-- The files that the statement was made from: found by all facts of the month.
CREATE TEMP TABLE IF NOT EXISTS report_file (
    kind   text NOT NULL,
    path   text NOT NULL,
    sha256 text NOT NULL,
    bytes  bigint
) ON COMMIT DELETE ROWS;
