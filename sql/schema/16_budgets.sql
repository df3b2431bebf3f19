-- Budgets and planned trainings (docs/budgets.md). They move no money.

-- The standing of each cost centre with a budget or with cost. Spent is its true cost with internal
-- charges, as on the Summary. The forecast adds the rest of the month in a straight line: Σ over
-- sources of linear × (month − covered) ÷ covered, rounded once. Null: nothing of the month is
-- covered yet.
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
        SELECT statement_sum.cost_centre, sum(minor_units)::bigint AS minor_units
        FROM statement_sum
        WHERE statement_month = of_month AND line_type = 'charge' AND (block = 'invoice' OR is_of_attempts)
        GROUP BY statement_sum.cost_centre
    ), rest AS (
        SELECT statement_projection.cost_centre,
               bool_or(linear_amount <> 0 AND covered <= 0) AS is_unknown,
               sum(CASE WHEN covered > 0 THEN linear_amount * 1.000000000000000000000000 * (seconds - covered) / covered ELSE 0 END) AS amount
        FROM statement_projection
        JOIN month USING (statement_month)
        CROSS JOIN LATERAL (SELECT coalesce(seconds_between(statement_month::timestamptz,
                                                            least(covered_to, (statement_month + interval '1 month')::timestamptz)),
                                            seconds) AS covered) AS extent
        GROUP BY statement_projection.cost_centre
    )
    SELECT cost_centre, stated_cost_centre_name(of_month, coalesce(budgeted.cost_centre, spent.cost_centre)), round(budgeted.amount * 10::numeric ^ minor_unit_digits)::bigint,
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
    CROSS JOIN month;
END;

-- The thresholds that an amount has crossed: amount ≥ threshold × budget, and above 0.
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

-- A crossing: from the publication that found it until one that does not find it any more. If it is
-- crossed again later, that is a new row.
CREATE TABLE budget_alert (
    statement_month date NOT NULL,
    cost_centre     text NOT NULL,
    measure         text NOT NULL CHECK (measure IN ('spent', 'forecast')),
    threshold       numeric NOT NULL,
    noted           boolean NOT NULL DEFAULT false, -- a night has reported it with its exit code
    is_sent         boolean NOT NULL DEFAULT false, -- the site's hook has received it
    PRIMARY KEY (statement_month, cost_centre, measure, threshold)
);

-- Whether a cost is above the limit of a statement's settings. An unknown cost is.
CREATE FUNCTION needs_approval(of_month date, cost_minor bigint) RETURNS boolean
LANGUAGE sql STABLE
RETURN cost_minor IS NULL
       OR cost_minor > stated_setting_value(of_month, 'planned_training_limit', '0')::numeric
                       * 10::numeric ^ (SELECT minor_unit_digits FROM kstar.statement WHERE statement_month = of_month);
