-- The rules by date, for lines and jobs that may lie in a closed month (design 4): on a day of a closed month those that
-- were frozen with it, on any other day today's; in a replay of a closed month, those of its close. So a late rule takes
-- effect from the first open month, and a correction is split as the line that it corrects was. The three tables stand
-- before those of the same name; `declared_from` is the valid_from that a rule was declared with, by which ties go.
DO $$
DECLARE
    replayed   date := nullif(current_setting('kstar.replayed_month', true), '')::date;
    rule_table text;
BEGIN
    FOREACH rule_table IN ARRAY ARRAY['mapping_rule', 'pool_rule', 'family_rule'] LOOP
        EXECUTE format('CREATE TEMP TABLE %1$I (LIKE kstar.%1$I, declared_from date NOT NULL) ON COMMIT DROP', rule_table);
        EXECUTE format($sql$
            INSERT INTO %1$I
            WITH closed AS (
                SELECT statement_month, daterange(statement_month, (statement_month + interval '1 month')::date) AS days
                FROM kstar.closure
                WHERE $1 IS NULL OR close_number < (SELECT close_number FROM kstar.closure WHERE statement_month = $1)
            ), declared AS (
                SELECT jsonb_populate_record(NULL::kstar.%1$I, content) AS rule, statement_month
                FROM kstar.frozen_reference
                WHERE table_name = %1$L
                UNION ALL
                SELECT rule::kstar.%1$I, NULL
                FROM kstar.%1$I AS rule
            ), dated AS (
                SELECT rule, unnest(datemultirange(daterange((rule).valid_from, (rule).valid_to))
                                    - coalesce((SELECT range_agg(days) FROM closed), '{}')) AS days
                FROM declared
                WHERE statement_month IS NOT DISTINCT FROM $1
                UNION ALL
                SELECT rule, daterange((rule).valid_from, (rule).valid_to) * days
                FROM declared JOIN closed USING (statement_month)
            )
            SELECT (jsonb_populate_record(rule, jsonb_build_object('valid_from', lower(days), 'valid_to', upper(days)))).*,
                   (rule).valid_from
            FROM dated
            WHERE NOT isempty(days)$sql$, rule_table) USING replayed;
    END LOOP;
END
$$;
