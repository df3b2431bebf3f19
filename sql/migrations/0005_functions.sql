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

-- Whether a unit measures time in any way ('GiB-Hours', 'vCPU seconds').
CREATE FUNCTION is_time_unit(unit text) RETURNS boolean
LANGUAGE sql IMMUTABLE PARALLEL SAFE
RETURN coalesce(unit ~* '(hour|hrs|second|minute|day)', false);

-- Exact length of a span in seconds.
CREATE FUNCTION seconds_between(span_start timestamptz, span_end timestamptz) RETURNS numeric
LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
RETURN trim_scale(extract(epoch FROM span_end) - extract(epoch FROM span_start));

CREATE AGGREGATE product(numeric) (sfunc = numeric_mul, stype = numeric, initcond = '1', parallel = safe,
                                   combinefunc = numeric_mul);
