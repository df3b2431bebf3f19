-- Budgets (docs/budgets.md): what each cost centre may cost in a month, how far its statement has come, and which thresholds that
-- has crossed. They move no money.

-- budgets.csv. Amounts are in statement currency; thresholds in percent, '80 100' or 'none'; null: as settings.csv has them.
CREATE TABLE budget (
    cost_centre         text NOT NULL,
    month               text NOT NULL CHECK (month ~ '^[0-9]{4}-(0[1-9]|1[0-2])$'),
    amount              numeric NOT NULL CHECK (amount >= 0),
    spent_thresholds    text,
    forecast_thresholds text,
    PRIMARY KEY (cost_centre, month)
);

-- A budget is frozen with its statement like any choice: the workbook of a closed month keeps its bytes.
DO $$
BEGIN
    EXECUTE format('CREATE OR REPLACE FUNCTION choice_tables() RETURNS text[] LANGUAGE sql IMMUTABLE RETURN %L::text[]',
                   choice_tables() || ARRAY['budget']);
END
$$;

CREATE VIEW stated_budget AS
SELECT statement_month, (jsonb_populate_record(NULL::budget, content)).*
FROM frozen_reference
WHERE table_name = 'budget'
UNION ALL
SELECT statement_month, choice.*
FROM statement CROSS JOIN budget AS choice
WHERE status = 'Preliminary';

-- What of a cost centre's cost goes on to the month's end as it did so far, by source. Published with the statement.
CREATE TABLE statement_projection (
    statement_month date NOT NULL,
    cost_centre     text NOT NULL,
    source          text NOT NULL,    -- '': off the bill
    linear_amount   numeric NOT NULL, -- exact, statement currency
    covered_to      timestamptz,      -- the end of the source's records; null: nothing of it goes on
    PRIMARY KEY (statement_month, cost_centre, source)
);

-- '80 100 120.5' as numbers, ascending; 'none' is none.
CREATE FUNCTION threshold_list(thresholds text) RETURNS numeric[]
LANGUAGE sql IMMUTABLE STRICT
RETURN CASE thresholds
           WHEN 'none' THEN '{}'::numeric[]
           ELSE ARRAY(SELECT DISTINCT trim_scale(word::numeric) FROM regexp_split_to_table(thresholds, ' +') AS word ORDER BY 1)
       END;

-- Where each cost centre of a statement stands: with a budget, or with cost, or with both. Spent is its true cost (on the bill and off
-- it, as on the Summary). The forecast adds the rest of the month in a straight line: Σ over sources of linear × (month − covered) ÷
-- covered, rounded once. Null: nothing of the month is covered yet.
CREATE FUNCTION budget_standing(of_month date)
RETURNS TABLE (cost_centre text, name text, budget_minor bigint, spent_minor bigint, forecast_minor bigint,
               spent_thresholds numeric[], forecast_thresholds numeric[], minor_unit_digits integer, statement_currency text, status text)
LANGUAGE sql STABLE
BEGIN ATOMIC
    WITH month AS (
        SELECT statement.*, (statement_month + interval '1 month')::date - 1                                  AS last_day,
               seconds_between(statement_month::timestamptz, (statement_month + interval '1 month')::timestamptz) AS seconds
        FROM statement
        WHERE statement_month = of_month
    ), budgeted AS (
        SELECT stated_budget.cost_centre, amount, stated_budget.spent_thresholds, stated_budget.forecast_thresholds
        FROM stated_budget
        WHERE statement_month = of_month AND stated_budget.month = to_char(of_month, 'YYYY-MM')
    ), spent AS (
        SELECT statement_row.cost_centre, sum(minor_units)::bigint AS minor_units
        FROM statement_row
        WHERE statement_month = of_month AND line_type = 'charge' AND (block = 'invoice' OR attempt_id IS NOT NULL)
        GROUP BY statement_row.cost_centre
    ), rest AS (
        SELECT statement_projection.cost_centre,
               bool_or(linear_amount <> 0 AND covered <= 0) AS is_unknown,
               sum(CASE WHEN covered > 0 THEN linear_amount * 1.000000000000000000000000 * (seconds - covered) / covered ELSE 0 END) AS amount
        FROM statement_projection
        JOIN month USING (statement_month)
        CROSS JOIN LATERAL (SELECT coalesce(seconds_between(statement_month::timestamptz,
                                                            least(covered_to, (statement_month + interval '1 month')::timestamptz)),
                                            seconds) AS covered) AS reach
        GROUP BY statement_projection.cost_centre
    )
    SELECT cost_centre, declared.name, round(budgeted.amount * 10::numeric ^ minor_unit_digits)::bigint,
           coalesce(spent.minor_units, 0),
           CASE WHEN status = 'Final' OR spent.minor_units IS NULL THEN coalesce(spent.minor_units, 0)
                WHEN NOT is_unknown THEN spent.minor_units + round(rest.amount * 10::numeric ^ minor_unit_digits)::bigint
           END,
           threshold_list(coalesce(budgeted.spent_thresholds, stated_setting_value(of_month, 'budget_spent_thresholds', '80 100'))),
           threshold_list(coalesce(budgeted.forecast_thresholds, stated_setting_value(of_month, 'budget_forecast_thresholds', '100'))),
           minor_unit_digits, statement_currency, status
    FROM budgeted
    FULL JOIN spent USING (cost_centre)
    LEFT JOIN rest USING (cost_centre)
    CROSS JOIN month
    LEFT JOIN LATERAL (SELECT stated_cost_centre.name
                       FROM stated_cost_centre
                       WHERE stated_cost_centre.statement_month = of_month AND stated_cost_centre.cost_centre = coalesce(budgeted.cost_centre, spent.cost_centre)
                         AND valid_from <= last_day AND valid_to > last_day
                       ORDER BY valid_from DESC LIMIT 1) AS declared ON true;
END;

-- The thresholds that are reached or passed: amount ≥ threshold of the budget, and above 0.
CREATE FUNCTION budget_crossing(of_month date)
RETURNS TABLE (cost_centre text, measure text, threshold numeric, amount_minor bigint, budget_minor bigint)
LANGUAGE sql STABLE
BEGIN ATOMIC
    SELECT standing.cost_centre, measured.measure, crossed.threshold, measured.minor_units, standing.budget_minor
    FROM budget_standing(of_month) AS standing
    CROSS JOIN LATERAL (VALUES ('spent', standing.spent_minor, standing.spent_thresholds),
                               ('forecast', standing.forecast_minor, standing.forecast_thresholds)) AS measured (measure, minor_units, thresholds)
    CROSS JOIN LATERAL unnest(measured.thresholds) AS crossed (threshold)
    WHERE measured.minor_units > 0 AND measured.minor_units * 100::numeric >= crossed.threshold * standing.budget_minor;
END;

-- Each crossing, from the publication that found it to the one that does not find it any more; then a new one is a new row.
CREATE TABLE budget_alert (
    statement_month date NOT NULL,
    cost_centre     text NOT NULL,
    measure         text NOT NULL CHECK (measure IN ('spent', 'forecast')),
    threshold       numeric NOT NULL,
    crossed_as_of   timestamptz NOT NULL,           -- as-of of the statement that found it
    noted           boolean NOT NULL DEFAULT false, -- a night has said so with its exit code
    told            boolean NOT NULL DEFAULT false, -- the site's hook has run for it
    PRIMARY KEY (statement_month, cost_centre, measure, threshold)
);
