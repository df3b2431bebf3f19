-- Tables that the pages of one month share, in addition to report/00_session.sql. A READ ONLY
-- transaction may fill a temporary table but not create one, so every writer runs this file before
-- it.

-- True cost of the last twelve published statements in one currency, up to the page's own month.
CREATE TEMP TABLE IF NOT EXISTS report_month_cost (
    statement_month date NOT NULL,
    cost_centre     text NOT NULL,
    component_no    integer NOT NULL,
    minor_units     bigint NOT NULL
) ON COMMIT DELETE ROWS;

-- The parts of a cost centre's true cost: its dearest jobs by day and type of node, all other jobs
-- in one row, and cost without a job by SKU. The rows of a cost centre sum to its true cost.
CREATE TEMP TABLE IF NOT EXISTS report_part (
    cost_centre  text NOT NULL,
    place        bigint NOT NULL, -- order: jobs, the other jobs, then components
    kind         text NOT NULL CHECK (kind IN ('job', 'other jobs', 'other cost')),
    attempt_id   bigint,
    component_no integer,
    component    text,
    subject      text,            -- pool, service or transfer
    is_pool      boolean NOT NULL,
    day          date,
    sku          text,            -- type of node; the SKU if there is no job
    node_hours   numeric,
    minor_units  bigint NOT NULL
) ON COMMIT DELETE ROWS;

-- Each page reads the rows of its cost centre once for each part.
CREATE INDEX IF NOT EXISTS report_part_cost_centre ON report_part (cost_centre);

-- Six groups of components, as the sheet Summary has them.
CREATE OR REPLACE FUNCTION pg_temp.component_group(component_no integer) RETURNS integer
LANGUAGE sql IMMUTABLE
RETURN CASE WHEN component_no = 1 THEN 1
            WHEN component_no = 2 THEN 2
            WHEN component_no IN (4, 5) THEN 3
            WHEN component_no IN (3, 6, 11) THEN 4
            WHEN component_no <= 14 THEN 5
            ELSE 6 END;

-- A name as a word of a shell's command line.
CREATE OR REPLACE FUNCTION pg_temp.shell_word(word text) RETURNS text
LANGUAGE sql IMMUTABLE
RETURN CASE WHEN word ~ '^[A-Za-z0-9._/+-]+$' THEN word ELSE '''' || replace(word, '''', '''\''''') || '''' END;

-- The month's money as the page writes it.
CREATE OR REPLACE FUNCTION pg_temp.page_money(minor_units numeric) RETURNS text
LANGUAGE sql STABLE
RETURN (SELECT money_text(minor_units, minor_unit_digits) FROM statement
        WHERE statement_month = current_setting('kstar.statement_month')::date);
