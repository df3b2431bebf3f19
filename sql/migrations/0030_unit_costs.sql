-- Unit costs (docs/unit-costs.md): what a successful model and a trained token truly cost. They move no money.

-- run_group_units.csv: what a run group delivered, and when: it counts in the month of that day, with all that it cost so far.
CREATE TABLE run_group_unit (
    run_group      text PRIMARY KEY,
    models         integer NOT NULL DEFAULT 1 CHECK (models >= 0),
    trained_tokens numeric CHECK (trained_tokens > 0), -- null: as the job records say
    delivered_on   date NOT NULL
);

-- Frozen with its statement like any choice: the workbook of a closed month keeps its bytes.
DO $$
BEGIN
    EXECUTE format('CREATE OR REPLACE FUNCTION choice_tables() RETURNS text[] LANGUAGE sql IMMUTABLE RETURN %L::text[]',
                   choice_tables() || ARRAY['run_group_unit']);
END
$$;

CREATE VIEW stated_run_group_unit AS
SELECT statement_month, (jsonb_populate_record(NULL::run_group_unit, content)).*
FROM frozen_reference
WHERE table_name = 'run_group_unit'
UNION ALL
SELECT statement_month, choice.*
FROM statement CROSS JOIN run_group_unit AS choice
WHERE status = 'Preliminary';

-- The tokens that a job's comment says it has trained: a whole number behind the word trained_tokens, as in
-- 'family=vision trained_tokens=1500000000' or 'team=vision, trained_tokens=…'. Null: it does not say.
CREATE FUNCTION commented_tokens(comment text) RETURNS numeric
LANGUAGE sql IMMUTABLE STRICT
RETURN (regexp_match(comment, '(?:^|[^[:alnum:]_.-])trained_tokens=([0-9]{1,24})(?![[:alnum:]_.])'))[1]::numeric;
