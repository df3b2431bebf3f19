-- The journal of a statement (docs/journal.md): what was issued of it is kept, so that a later issue can take it back
-- exactly, whatever the statement says by then. `kstar report journal --issue` alone writes here.

-- journal_columns.csv: the columns of journal-YYYY-MM.csv, from left to right; none: the default ones.
CREATE TABLE journal_column (
    position   integer NOT NULL,
    heading    text NOT NULL,
    field      text NOT NULL,
    valid_from date NOT NULL DEFAULT '-infinity',
    valid_to   date NOT NULL DEFAULT 'infinity',
    PRIMARY KEY (position, valid_from)
);

-- Frozen with its statement like any choice: the file of a closed month keeps its bytes.
DO $$
BEGIN
    EXECUTE format('CREATE OR REPLACE FUNCTION choice_tables() RETURNS text[] LANGUAGE sql IMMUTABLE RETURN %L::text[]',
                   choice_tables() || ARRAY['journal_column']);
END
$$;

CREATE VIEW stated_journal_column AS
SELECT statement_month, (jsonb_populate_record(NULL::journal_column, content)).*
FROM frozen_reference
WHERE table_name = 'journal_column'
UNION ALL
SELECT statement_month, choice.*
FROM statement CROSS JOIN journal_column AS choice
WHERE status = 'Preliminary';

-- The value that a setting has for a statement on the last day of its month, or its default.
CREATE FUNCTION stated_setting_value(of_month date, name text, default_value text) RETURNS text
LANGUAGE sql STABLE
RETURN coalesce((SELECT value
                 FROM kstar.stated_setting
                 WHERE statement_month = of_month AND parameter = name
                   AND valid_from < of_month + interval '1 month' AND valid_to >= of_month + interval '1 month'
                 ORDER BY valid_from DESC LIMIT 1), default_value);

-- By which a ledger knows an issue: company, period and issue number; none of a preview.
CREATE FUNCTION journal_posting_key(company text, of_month date, issue_number integer) RETURNS text
LANGUAGE sql IMMUTABLE
RETURN company || '-' || to_char(of_month, 'YYYY-MM') || '-' || issue_number;

-- Whole minor units as a ledger reads them: 1234567.89, with its decimal mark.
CREATE FUNCTION journal_amount(minor_units numeric, digits integer, decimal_mark text) RETURNS text
LANGUAGE sql IMMUTABLE STRICT
RETURN replace(round(minor_units * ('1e-' || digits)::numeric, digits)::text, '.', decimal_mark);

-- One row per issue; of one month they are numbered from 1. Before its close a month's issues are accruals, which the
-- ledger reverses on the first day after it.
CREATE TABLE journal_issue (
    statement_month date NOT NULL,
    issue_number    integer NOT NULL CHECK (issue_number >= 1),
    company         text NOT NULL,
    currency        text NOT NULL,
    kind            text NOT NULL CHECK (kind IN ('accrual', 'final')),
    accounting_date date NOT NULL,
    reversal_date   date,            -- of an accrual
    source          text NOT NULL,   -- the statement's run
    content_sha256  text NOT NULL,   -- of what it books itself, without the reversal that it opens with
    PRIMARY KEY (statement_month, issue_number),
    CHECK ((kind = 'accrual') = (reversal_date IS NOT NULL))
);

-- Its lines, in their order. Per company and currency Σ minor_units = 0.
CREATE TABLE journal_line (
    statement_month    date NOT NULL,
    issue_number       integer NOT NULL,
    line_number        integer NOT NULL,
    block              text NOT NULL CHECK (block IN ('reversal', 'invoice', 'off the bill', 'adjustment',
                                                      'adjustment off the bill')),
    line_type          text NOT NULL,
    company            text NOT NULL,
    currency           text NOT NULL,
    minor_unit_digits  integer NOT NULL,
    accounting_date    date NOT NULL,
    reversal_date      date,
    gl_account         text NOT NULL,
    cost_centre        text,
    component          text,
    subject            text,
    minor_units        bigint NOT NULL CHECK (minor_units <> 0), -- above 0: debit
    external_reference text NOT NULL,
    memo               text NOT NULL,
    reverses           text,         -- posting key of the issue that a reversal takes back
    PRIMARY KEY (statement_month, issue_number, line_number),
    FOREIGN KEY (statement_month, issue_number) REFERENCES journal_issue
);
