-- Small functions of the allocation.

-- Seconds of one unit of time; null where the unit is not a time alone ('vCPU-Hours' counts cores, not nodes).
CREATE FUNCTION seconds_of_unit(unit text) RETURNS integer
LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
RETURN CASE lower(unit)
           WHEN 'hour' THEN 3600 WHEN 'hours' THEN 3600 WHEN 'hr' THEN 3600 WHEN 'hrs' THEN 3600 WHEN 'h' THEN 3600
           WHEN 'minute' THEN 60 WHEN 'minutes' THEN 60 WHEN 'min' THEN 60
           WHEN 'second' THEN 1 WHEN 'seconds' THEN 1 WHEN 'sec' THEN 1 WHEN 's' THEN 1
           WHEN 'day' THEN 86400 WHEN 'days' THEN 86400
       END;

-- The time that a line bills: its consumed quantity where that is a time within the charge period, else its priced one.
CREATE FUNCTION time_billed(consumed_quantity numeric, consumed_unit_seconds numeric, pricing_quantity numeric,
                            pricing_unit_seconds numeric, period_seconds numeric) RETURNS numeric
LANGUAGE sql IMMUTABLE PARALLEL SAFE
RETURN CASE
           WHEN consumed_quantity <> 0 AND abs(consumed_quantity) * consumed_unit_seconds <= period_seconds
               THEN abs(consumed_quantity) * consumed_unit_seconds
           WHEN pricing_quantity <> 0 AND abs(pricing_quantity) * pricing_unit_seconds <= period_seconds
               THEN abs(pricing_quantity) * pricing_unit_seconds
       END;

-- Whether a unit measures time in any way ('GiB-Hours', 'vCPU seconds').
CREATE FUNCTION is_time_unit(unit text) RETURNS boolean
LANGUAGE sql IMMUTABLE PARALLEL SAFE
RETURN coalesce(unit ~* '(hour|hrs|second|minute|day)', false);

-- Exact length of a span in seconds.
CREATE FUNCTION seconds_between(span_start timestamptz, span_end timestamptz) RETURNS numeric
LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
RETURN trim_scale(extract(epoch FROM span_end) - extract(epoch FROM span_start));

-- Whole minor units as a reader writes them: 123456789 with 2 digits is 1,234,567.89.
CREATE FUNCTION money_text(minor_units numeric, digits integer) RETURNS text
LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
RETURN to_char(minor_units * ('1e-' || digits)::numeric,
               'FM999G999G999G999G990' || CASE WHEN digits > 0 THEN 'D' || repeat('0', digits) ELSE '' END);

CREATE AGGREGATE product(numeric) (sfunc = numeric_mul, stype = numeric, initcond = '1', parallel = safe,
                                   combinefunc = numeric_mul);

-- As-of comes from the data, never from the clock (design 2): the latest delivery or job snapshot; kstar.as_of overrides it.
CREATE FUNCTION statement_as_of(statement_month date) RETURNS timestamptz
LANGUAGE sql STABLE
RETURN coalesce(nullif(current_setting('kstar.as_of', true), '')::timestamptz,
                greatest((SELECT max(covered_to) FROM kstar.load JOIN kstar.current_load USING (load_id)),
                         (SELECT max(horizon) FROM kstar.job_horizon)),
                (statement_month + interval '1 month')::timestamptz);
