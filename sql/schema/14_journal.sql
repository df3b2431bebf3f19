-- The journal of a statement (docs/journal.md). Issues are stored, so that a later issue can
-- reverse them exactly, whatever the statement has by then. Only `kstar report journal --issue`
-- writes here.

-- One row per issue, numbered from 1 within a month. Issues before the month's close are accruals,
-- which the ledger reverses on the first day after the month.
CREATE TABLE journal_issue (
    statement_month date NOT NULL,
    issue_number    integer NOT NULL CHECK (issue_number >= 1),
    company         text NOT NULL,
    currency        text NOT NULL,
    kind            text NOT NULL CHECK (kind IN ('accrual', 'final')),
    accounting_date date NOT NULL,
    reversal_date   date,          -- of an accrual
    source          text NOT NULL, -- the statement's run
    -- of what it books itself, without the reversal that it opens with
    content_sha256  text NOT NULL,
    PRIMARY KEY (statement_month, issue_number),
    CHECK ((kind = 'accrual') = (reversal_date IS NOT NULL))
);

-- Its lines, in their order. Per company and currency Σ minor_units = 0.
CREATE TABLE journal_line (
    statement_month    date NOT NULL,
    issue_number       integer NOT NULL,
    line_number        integer NOT NULL,
    block              text NOT NULL CHECK (block IN ('reversal', 'invoice', 'internal', 'adjustment',
                                                      'internal adjustment')),
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
    reverses           text, -- posting key of the issue that a reversal takes back
    PRIMARY KEY (statement_month, issue_number, line_number),
    FOREIGN KEY (statement_month, issue_number) REFERENCES journal_issue
);

-- The key of an issue in the ledger: company, period and issue number. A preview has none.
CREATE FUNCTION journal_posting_key(company text, of_month date, issue_number integer) RETURNS text
LANGUAGE sql IMMUTABLE
RETURN company || '-' || to_char(of_month, 'YYYY-MM') || '-' || issue_number;

-- Minor units as the ledger reads them: 1234567.89, with its decimal mark.
CREATE FUNCTION journal_amount(minor_units numeric, digits integer, decimal_mark text) RETURNS text
LANGUAGE sql IMMUTABLE STRICT
RETURN replace(round(minor_units * ('1e-' || digits::text)::numeric, digits)::text, '.', decimal_mark);

-- Statements without a bill, without adjustments, and without entries in the ledger that are not
-- reversed.
CREATE VIEW withdrawn_statement AS
SELECT statement_month
FROM statement
WHERE status = 'Preliminary'
  AND statement_month NOT IN (SELECT statement_month FROM open_month)
  AND statement_month NOT IN (SELECT adjustment_carrier(adjusted_month) FROM prior_period_difference)
  AND NOT EXISTS (SELECT
                  FROM journal_line
                  WHERE journal_line.statement_month = statement.statement_month AND block <> 'reversal'
                    AND issue_number = (SELECT max(issue_number) FROM journal_issue
                                        WHERE journal_issue.statement_month = statement.statement_month));
