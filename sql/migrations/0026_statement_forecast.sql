-- The forecast that a statement is held against (sheet "Key figures"): of the scenario in the setting forecast_scenario, the one that
-- knew the most of what came before its month.

-- The value of a setting on the last day of a month, or its default: today's choices, not those of a closed statement.
CREATE FUNCTION setting_in_force(of_month date, name text, default_value text) RETURNS text
LANGUAGE sql STABLE
RETURN coalesce((SELECT value
                 FROM kstar.setting
                 WHERE parameter = name AND valid_from < of_month + interval '1 month' AND valid_to >= of_month + interval '1 month'
                 ORDER BY valid_from DESC LIMIT 1), default_value);

-- For each scenario (of_scenario: one; '': all) and month from from_month to to_month the kept forecast that knew the most of what came
-- before it, at least so many months ahead; of several that knew the same, the one kept last.
CREATE FUNCTION forecast_choice(of_scenario text, from_month date, to_month date, months_ahead integer, currency text)
RETURNS TABLE (scenario text, forecast_id text, month date, base_to date, p10_minor bigint, p90_minor bigint)
LANGUAGE sql STABLE
BEGIN ATOMIC
    SELECT DISTINCT ON (scenario COLLATE "C", month) scenario, forecast_id, month, base_to, p10_minor, p90_minor
    FROM kstar.forecast
    JOIN kstar.forecast_range USING (forecast_id)
    WHERE of_scenario IN ('', scenario) AND month BETWEEN from_month AND to_month AND statement_currency = currency
      AND base_to + make_interval(months => months_ahead) <= month
    ORDER BY scenario COLLATE "C", month, base_to DESC, kept_number DESC;
END;

CREATE FUNCTION forecast_of_month(of_month date) RETURNS text
LANGUAGE sql STABLE
RETURN (SELECT forecast_id
        FROM kstar.forecast_choice(kstar.setting_in_force(of_month, 'forecast_scenario', 'base'), of_month, of_month, 1,
                                   kstar.setting_in_force(of_month, 'statement_currency', 'USD')));

-- Published with the statement, so that what is forecast later changes no closed one. By cost centre ('': the company's as a whole);
-- no row: nothing was forecast.
CREATE TABLE statement_forecast (
    statement_month date NOT NULL,
    cost_centre     text NOT NULL,
    scenario        text NOT NULL,
    forecast_id     text NOT NULL,
    known_to        date NOT NULL,   -- the last month of its history
    minor_units     bigint NOT NULL, -- true cost
    PRIMARY KEY (statement_month, cost_centre)
);

-- As 0006 has it, and the forecast that the statement is held against.
CREATE OR REPLACE FUNCTION statement_run_id(statement_month date, version text) RETURNS text
LANGUAGE sql STABLE
RETURN (
    WITH input AS (
        SELECT 'billing ' || source || ' ' || billing_period || ' ' || sha256 AS what
        FROM kstar.load
        JOIN kstar.current_load USING (load_id, source, billing_period)
        JOIN kstar.delivery USING (delivery_id, source)
        UNION ALL
        SELECT kind || ' ' || source || ' ' || label || ' ' || sha256 FROM kstar.delivery WHERE kind <> 'billing'
        UNION ALL
        SELECT 'reference ' || name || ' ' || sha256 FROM kstar.reference_file
        UNION ALL
        SELECT 'closed ' || closure.statement_month FROM kstar.closure
        UNION ALL
        SELECT 'adjustment ' || prior_period_difference::text
        FROM kstar.prior_period_difference
        WHERE kstar.adjustment_carrier(adjusted_month) = statement_run_id.statement_month
        UNION ALL
        SELECT 'forecast ' || forecast_of_month(statement_run_id.statement_month)
    )
    SELECT left(encode(sha256(convert_to(
               concat_ws(E'\n', statement_month, extract(epoch FROM kstar.statement_as_of(statement_month)), version,
                         string_agg(what, E'\n' ORDER BY what COLLATE "C")), 'UTF8')), 'hex'), 16)
    FROM input);
