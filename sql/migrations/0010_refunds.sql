-- What the system broke is not the team's cost: attempts that ended in such a state are charged to a pool instead, up to a
-- number of hours of each (design 5).

-- refund_rules.csv: which states, of which cluster ('': of those that no other row names), to which pool.
CREATE TABLE refund_rule (
    state         text NOT NULL CHECK (state IN ('NODE_FAIL', 'BOOT_FAIL', 'PREEMPTED')),
    cluster       text NOT NULL DEFAULT '',
    pool          text NOT NULL,
    maximum_hours numeric CHECK (maximum_hours > 0), -- of one attempt's run time; null: all of it
    valid_from    date NOT NULL DEFAULT '-infinity',
    valid_to      date NOT NULL DEFAULT 'infinity',
    PRIMARY KEY (state, cluster, valid_from)
);

DO $$
BEGIN
    EXECUTE format('CREATE OR REPLACE FUNCTION choice_tables() RETURNS text[] LANGUAGE sql IMMUTABLE RETURN %L::text[]',
                   choice_tables() || ARRAY['refund_rule']);
END
$$;

-- The choices that lines and jobs are ruled by on their own day, be it in a closed month (allocate/00_rules.sql).
CREATE FUNCTION dated_rule_tables() RETURNS text[] LANGUAGE sql IMMUTABLE
    RETURN ARRAY['mapping_rule', 'pool_rule', 'family_rule', 'refund_rule'];
