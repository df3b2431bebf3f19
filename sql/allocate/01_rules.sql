-- Makes a temporary table for each table of rules, with the same name, so the steps below read it
-- instead (docs/late-facts.md, Choices that come late). A day of a closed month has the rules that
-- were frozen at its close. Every other day has the rules of today. So a new rule takes effect from
-- the first open month, and a correction is split as the line that it corrects was. `declared_from`
-- is the valid_from in the file of rules; it decides between two rules of the same priority. A rule
-- that did not change is one row, however many months are closed.

-- For all steps: a work table is read only a few times, so a sample of 3,000 rows is enough to plan
-- for it.
SET LOCAL default_statistics_target = 10;

-- The closed months that this statement sees. A replay sees only the months that were closed before
-- the replayed month.
CREATE TEMP TABLE closed_month ON COMMIT DROP AS
SELECT statement_month, daterange(statement_month, (statement_month + interval '1 month')::date) AS days
FROM kstar.closure
WHERE close_number < ALL (SELECT close_number FROM kstar.closure
                          WHERE statement_month = nullif(current_setting('kstar.replayed_month', true), '')::date);

-- Which month's rules count on which days. A closed month's own rules count on its days. On all
-- other days the rules of the replayed month count, or today's where the month is null.
CREATE TEMP TABLE choice_days ON COMMIT DROP AS
SELECT statement_month, datemultirange(days) AS days
FROM closed_month
UNION ALL
SELECT nullif(current_setting('kstar.replayed_month', true), '')::date,
       '{[-infinity,infinity)}'::datemultirange - coalesce((SELECT range_agg(days) FROM closed_month), '{}');

DO $$
DECLARE
    rule_table text;
BEGIN
    FOREACH rule_table IN ARRAY dated_rule_tables() LOOP
        EXECUTE format($sql$
            CREATE TEMP TABLE %1$I ON COMMIT DROP AS
            WITH dated AS (
                SELECT content - 'valid_to' AS content,
                       range_agg(datemultirange(daterange((content ->> 'valid_from')::date, (content ->> 'valid_to')::date)) * days) AS days
                FROM (SELECT statement_month, content
                      FROM kstar.frozen_reference
                      WHERE table_name = %1$L
                      UNION ALL
                      SELECT NULL, to_jsonb(rule)
                      FROM kstar.%1$I AS rule) AS declared
                JOIN choice_days ON choice_days.statement_month IS NOT DISTINCT FROM declared.statement_month
                GROUP BY content - 'valid_to'
            )
            SELECT (jsonb_populate_record(NULL::kstar.%1$I,
                                          content || jsonb_build_object('valid_from', lower(span), 'valid_to', upper(span)))).*,
                   (content ->> 'valid_from')::date AS declared_from
            FROM dated
            CROSS JOIN unnest(days) AS span$sql$, rule_table);
    END LOOP;
END
$$;
