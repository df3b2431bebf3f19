-- Seconds between two times are worked out within the query that asks, a million times in a statement, and not by a call: a function of
-- SQL is inlined where its body is as immutable as it says, and what extract reads of a timestamptz could depend on the session's zone.
-- The epoch does not. time_billed, whose argument such a span is, is inlined with it.
CREATE OR REPLACE FUNCTION seconds_between(span_start timestamptz, span_end timestamptz) RETURNS numeric
LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
RETURN trim_scale(extract(epoch FROM span_end AT TIME ZONE interval '0') - extract(epoch FROM span_start AT TIME ZONE interval '0'));
