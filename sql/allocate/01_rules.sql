-- The rules by date, for lines and jobs that may lie in a closed month (docs/close.md, Choices that come late): on a day of a closed month those that
-- were frozen with it, on any other day today's; in a replay of a closed month, those of its close. So a late rule takes
-- effect from the first open month, and a correction is split as the line that it corrects was. The tables stand
-- before those of the same name; `declared_from` is the valid_from that a rule was declared with, by which ties go. A rule
-- that was the same throughout is one row again, however many months are closed.

-- For all steps: each work table is sampled once and read a few times. A sample of 3,000 rows is enough for that.
SET LOCAL default_statistics_target = 10;

-- The closed months that this statement sees; a replay sees those that were closed before.
CREATE TEMP TABLE closed_month ON COMMIT DROP AS
SELECT statement_month, daterange(statement_month, (statement_month + interval '1 month')::date) AS days
FROM kstar.closure
WHERE close_number < coalesce((SELECT close_number FROM kstar.closure
                               WHERE statement_month = nullif(current_setting('kstar.replayed_month', true), '')::date),
                              2147483647);

DO $$
DECLARE
    replayed   date := nullif(current_setting('kstar.replayed_month', true), '')::date;
    rule_table text;
BEGIN
    FOREACH rule_table IN ARRAY dated_rule_tables() LOOP
        EXECUTE format('CREATE TEMP TABLE %1$I (LIKE kstar.%1$I, declared_from date NOT NULL) ON COMMIT DROP', rule_table);
        EXECUTE format($sql$
            INSERT INTO %1$I
            WITH declared AS (
                SELECT content, statement_month
                FROM kstar.frozen_reference
                WHERE table_name = %1$L
                UNION ALL
                SELECT to_jsonb(rule), NULL
                FROM kstar.%1$I AS rule
            ), ranged AS (
                SELECT content - 'valid_to' AS content, statement_month,
                       daterange((content ->> 'valid_from')::date, (content ->> 'valid_to')::date) AS days
                FROM declared
            ), dated AS (
                SELECT content, unnest(datemultirange(days)
                                       - coalesce((SELECT range_agg(closed_month.days) FROM closed_month), '{}')) AS days
                FROM ranged
                WHERE statement_month IS NOT DISTINCT FROM $1
                UNION ALL
                SELECT content, ranged.days * closed_month.days
                FROM ranged JOIN closed_month USING (statement_month)
            ), joined AS (
                SELECT content, unnest(range_agg(days)) AS days
                FROM dated
                WHERE NOT isempty(days)
                GROUP BY content
            )
            SELECT (jsonb_populate_record(NULL::kstar.%1$I,
                                          content || jsonb_build_object('valid_from', lower(days), 'valid_to', upper(days)))).*,
                   (content ->> 'valid_from')::date
            FROM joined$sql$, rule_table) USING replayed;
    END LOOP;
END
$$;
