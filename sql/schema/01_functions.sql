-- Functions that read no table.

-- Turns the wildcard pattern of a rule ('*' is any text) into one for LIKE.
CREATE FUNCTION glob_to_like(pattern text) RETURNS text
LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
RETURN replace(replace(replace(replace(pattern, '\', '\\'), '%', '\%'), '_', '\_'), '*', '%');

-- Seconds between two times, exact. PostgreSQL writes the function's body into the query that calls
-- it only if the body is immutable; extract of a timestamptz is not, because it could depend on the
-- session's time zone. AT TIME ZONE interval '0' makes it so.
CREATE FUNCTION seconds_between(span_start timestamptz, span_end timestamptz) RETURNS numeric
LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
RETURN trim_scale(extract(epoch FROM span_end AT TIME ZONE interval '0') - extract(epoch FROM span_start AT TIME ZONE interval '0'));

-- Exact length of several spans together, in seconds.
CREATE FUNCTION seconds_within(spans tstzmultirange) RETURNS numeric
LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
RETURN (SELECT coalesce(sum(kstar.seconds_between(lower(span), upper(span))), 0) FROM unnest(spans) AS span);

-- Whether a unit measures time in any way ('GiB-Hours', 'vCPU seconds').
CREATE FUNCTION is_time_unit(unit text) RETURNS boolean
LANGUAGE sql IMMUTABLE PARALLEL SAFE
RETURN coalesce(unit ~* '(hour|hrs|second|minute|day)', false);

-- Seconds of one unit of time; null where the unit is not a time alone ('vCPU-Hours' counts cores,
-- not nodes).
CREATE FUNCTION seconds_of_unit(unit text) RETURNS integer
LANGUAGE sql IMMUTABLE PARALLEL SAFE
RETURN CASE lower(unit)
           WHEN 'hour' THEN 3600 WHEN 'hours' THEN 3600 WHEN 'hr' THEN 3600 WHEN 'hrs' THEN 3600 WHEN 'h' THEN 3600
           WHEN 'minute' THEN 60 WHEN 'minutes' THEN 60 WHEN 'min' THEN 60
           WHEN 'second' THEN 1 WHEN 'seconds' THEN 1 WHEN 'sec' THEN 1 WHEN 's' THEN 1
           WHEN 'day' THEN 86400 WHEN 'days' THEN 86400
       END;

-- The time that a line bills: its consumed quantity if that is a time within the charge period, or
-- else its pricing quantity.
CREATE FUNCTION time_billed(consumed_quantity numeric, consumed_unit_seconds numeric, pricing_quantity numeric,
                            pricing_unit_seconds numeric, period_seconds numeric) RETURNS numeric
LANGUAGE sql IMMUTABLE PARALLEL SAFE
RETURN CASE
           WHEN consumed_quantity <> 0 AND abs(consumed_quantity) * consumed_unit_seconds <= period_seconds
               THEN abs(consumed_quantity) * consumed_unit_seconds
           WHEN pricing_quantity <> 0 AND abs(pricing_quantity) * pricing_unit_seconds <= period_seconds
               THEN abs(pricing_quantity) * pricing_unit_seconds
       END;

-- Minor units as an exact amount: 123456 with 2 digits is 1234.56.
CREATE FUNCTION minor_amount(minor_units bigint, digits integer) RETURNS numeric
LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
-- text || integer is not immutable, and PostgreSQL would not write such a body into a query
RETURN minor_units * ('1e-' || digits::text)::numeric;

-- Minor units as text for people: 123456789 with 2 digits is 1,234,567.89.
CREATE FUNCTION money_text(minor_units numeric, digits integer) RETURNS text
LANGUAGE sql STABLE PARALLEL SAFE -- as to_char is
-- comma and point, not G and D: those depend on the server's lc_numeric
RETURN to_char(minor_units * ('1e-' || digits::text)::numeric,
               'FM999,999,999,999,990' || CASE WHEN digits > 0 THEN '.' || repeat('0', digits) ELSE '' END);

-- A quantity with one decimal: 1386.64 is 1,386.6.
CREATE FUNCTION quantity_text(quantity numeric) RETURNS text
LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
RETURN to_char(quantity, 'FM999,999,999,999,990.0');

-- A rate to three digits, which are enough to decide by: 1386.6 is 1,390; 0.034567 is 0.0346.
CREATE FUNCTION rough_text(amount numeric) RETURNS text
LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
RETURN CASE WHEN amount <= 0 THEN '0'
            ELSE rtrim(to_char(round(amount, 2 - floor(log(amount::double precision))::integer), 'FM999,999,999,999,999,990.999999999'), '.') END;

-- Hours in words: "17.0 hours", "9 minutes". Null if two sizes take equally long.
CREATE FUNCTION hours_text(hours double precision) RETURNS text
LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
RETURN CASE WHEN abs(hours) < 1.0 / 120 THEN NULL
            WHEN abs(hours) < 2 THEN round(abs(hours)::numeric * 60) || ' minutes'
            ELSE round(abs(hours)::numeric, 1) || ' hours' END;

-- What an hour of waiting was counted at, in words: "waiting counted at USD 0 to 120 an hour", or
-- "waiting not counted".
CREATE FUNCTION waiting_text(lowest numeric, highest numeric, currency text) RETURNS text
LANGUAGE sql IMMUTABLE PARALLEL SAFE
RETURN CASE WHEN highest > 0
            THEN 'waiting counted at ' || currency || ' '
                 || concat_ws(' to ', CASE WHEN lowest < highest THEN trim_scale(lowest) END, trim_scale(highest)) || ' an hour'
            ELSE 'waiting not counted' END;

-- The same for one rate.
CREATE FUNCTION waiting_text(per_hour double precision, currency text) RETURNS text
LANGUAGE sql IMMUTABLE PARALLEL SAFE
RETURN waiting_text(per_hour::numeric, per_hour::numeric, currency);

-- '80 100 120.5' as numbers, ascending; 'none' is none.
CREATE FUNCTION threshold_list(thresholds text) RETURNS numeric[]
LANGUAGE sql IMMUTABLE STRICT
RETURN CASE thresholds
           WHEN 'none' THEN '{}'::numeric[]
           ELSE ARRAY(SELECT DISTINCT trim_scale(word::numeric) FROM regexp_split_to_table(thresholds, ' +') AS word ORDER BY 1)
       END;

-- A file of a delivery as messages name it. A delivery of one file may have that file's own place
-- as its label.
CREATE FUNCTION delivered_file(label text, path text) RETURNS text
LANGUAGE sql IMMUTABLE PARALLEL SAFE
RETURN CASE WHEN right(label, length(path) + 1) = '/' || path THEN label ELSE label || '/' || path END;

-- A row of it.
CREATE FUNCTION row_place(label text, path text, line_number bigint, column_name text) RETURNS text
LANGUAGE sql IMMUTABLE PARALLEL SAFE
RETURN concat_ws(', ', delivered_file(label, path), 'line ' || line_number, 'column ' || column_name);

-- The trained tokens in a job's comment: a whole number after the word trained_tokens, as in
-- 'family=vision trained_tokens=1500000000' or 'team=vision, trained_tokens=…'. Null: there are
-- none.
CREATE FUNCTION commented_tokens(comment text) RETURNS numeric
LANGUAGE sql IMMUTABLE STRICT
RETURN (regexp_match(comment, '(?:^|[^[:alnum:]_.-])trained_tokens=([0-9]{1,24})(?![[:alnum:]_.])'))[1]::numeric;

-- The words of an accelerator's name. Two names mean the same accelerator if the longer has all
-- words of the shorter, in any letter case. Words are letters and digits (ASCII).
-- night/month/month_families.c compares measurements with jobs in the same way.
CREATE FUNCTION accelerator_words(name text) RETURNS text[] LANGUAGE sql IMMUTABLE PARALLEL SAFE
RETURN array_remove(regexp_split_to_array(lower(name COLLATE "C"), '[^a-z0-9]+'), '');

-- Google's full name of a resource without its service: of //aiplatform.googleapis.com/projects/1/…
-- it is projects/1/…, as job records have it, in small letters. Null for other names.
CREATE FUNCTION relative_name(resource_id text) RETURNS text LANGUAGE sql IMMUTABLE PARALLEL SAFE
RETURN substring(lower(resource_id) FROM '^//[^/]+/(.*)$');

-- The hash by which lines and held time are ordered and distributed to servers. Resources of one
-- node have the same hash: ids in any letter case, with or without what is before the last '/'.
-- lower() depends on the locale for the Kelvin sign (k) and the capital I with a dot (i), so k, i
-- and all letters beyond ASCII are skipped. The same as ingest/node_hash.c.
CREATE FUNCTION node_hash(resource_id text) RETURNS bigint
LANGUAGE sql IMMUTABLE PARALLEL SAFE
RETURN ('x' || encode(substr(sha256(convert_to(left(translate(regexp_replace(regexp_replace(resource_id, '^.*/', ''), '[^\u0001-\u007f]', '', 'g'),
                                                              'ABCDEFGHJLMNOPQRSTUVWXYZIiKk', 'abcdefghjlmnopqrstuvwxyz'), 256), 'UTF8')), 1, 8),
                      'hex'))::bit(64)::bigint;

-- A hash of a row that could not be read, made from its text. A row that kstar added itself
-- (ingest/billing_quarantine_cancelled.sql) has only a reason.
CREATE FUNCTION quarantined_content(raw bytea, reason text) RETURNS numeric
LANGUAGE sql IMMUTABLE
RETURN (SELECT (hashtextextended(content, 0)::numeric + 9223372036854775808)
               + (hashtextextended(content, 1)::numeric + 9223372036854775808) * 18446744073709551616
        FROM (SELECT CASE WHEN raw = '' THEN reason ELSE encode(raw, 'hex') END AS content) AS row);

-- Takes a sum of hashes modulo 2^128. Each bill line is hashed as it was read
-- (ingest/bill/billing_content.h). Two bills with the same lines have the same sum of hashes,
-- however their files are packed or sorted.
CREATE FUNCTION content_modulo(content numeric) RETURNS numeric
LANGUAGE sql IMMUTABLE
RETURN content % 340282366920938463463374607431768211456; -- 2^128

-- The sum of the hashes of a bill's lines, modulo 2^128.
CREATE AGGREGATE content_sum(numeric) (SFUNC = numeric_add, STYPE = numeric, INITCOND = '0', FINALFUNC = content_modulo);

-- The product of several numbers.
CREATE AGGREGATE product(numeric) (SFUNC = numeric_mul, STYPE = numeric, INITCOND = '1', PARALLEL = safe, COMBINEFUNC = numeric_mul);

-- Splits an amount exactly by weights of at least 0, in their order
-- (docs/allocation.md#exact-splits). Each part is cut to the amount's scale + 6 digits. The rest is
-- handed out in units of the last digit to the largest remainders; ties go by order. The sign is
-- applied last, so a credit is split like a charge. The parts add up to the amount, digit for
-- digit: amount · 10^digits is an integer, div() cuts exactly, and remainders are compared as
-- integers. ('1e-n')::numeric is exact; power() and division keep only 16 digits.
CREATE FUNCTION split_parts(amount numeric, weights numeric[]) RETURNS numeric[]
LANGUAGE sql IMMUTABLE
BEGIN ATOMIC
    SELECT array_agg((units + (turn <= left_over)::integer) * unit ORDER BY part)
    FROM (SELECT part, units, unit, whole - sum(units) OVER () AS left_over,
                 row_number() OVER (ORDER BY whole * weight - units * total DESC, part) AS turn
          FROM (SELECT part, weight, total, whole, unit, div(whole * weight, total) AS units
                FROM unnest(weights) WITH ORDINALITY AS weighed (weight, part)
                CROSS JOIN (SELECT sum(weight), abs(amount) * ('1e' || (scale(amount) + 6)::text)::numeric, sign(amount) * ('1e-' || (scale(amount) + 6)::text)::numeric
                            FROM unnest(weights) AS weight) AS given (total, whole, unit)
                OFFSET 0) AS cut) AS ranked; -- each quotient is worked out once
END;

-- The minor units of a share of an amount that begins after `before` and ends at `up_to`, both in
-- minor units: the rounded share up to its end − the rounded share before it. So the components of
-- a heterogeneous job add up to the rounded job.
CREATE FUNCTION part_in_minor(share numeric, before numeric, up_to numeric) RETURNS bigint
LANGUAGE sql IMMUTABLE PARALLEL SAFE
RETURN (round(up_to * share) - round(before * share))::bigint;

-- Whether a verdict is a flag, whose money is on the sheets.
CREATE FUNCTION is_flag(verdict text) RETURNS boolean
LANGUAGE sql IMMUTABLE
RETURN verdict IN ('above K*', 'below K*');

-- Whether a flagged job can be resized: it has no waiver, and at K* it would not miss a deadline
-- that it met.
CREATE FUNCTION is_attainable(waiver text, hours double precision, hours_at_k_star double precision, deadline_hours double precision) RETURNS boolean
LANGUAGE sql IMMUTABLE
RETURN waiver IS NULL AND (hours <= deadline_hours AND hours_at_k_star > deadline_hours) IS NOT TRUE;

-- The internal charge of a transfer's component. Jobs have node rates as components of hardware.
CREATE FUNCTION internal_charge(component text) RETURNS text
LANGUAGE sql IMMUTABLE
RETURN CASE WHEN component NOT IN ('internal_overhead', 'engineering_overhead') THEN 'internal_hardware' ELSE component END;

-- The subject of a statement row besides cost centre and component. A charge has none, a carrier
-- has its transfer.
CREATE FUNCTION cell_subject(block text, line_type text, is_of_attempts boolean, pool text, reason text, row_key text)
RETURNS text
LANGUAGE sql IMMUTABLE
RETURN CASE
           WHEN line_type = 'unallocated'                            THEN coalesce(reason, '')
           WHEN line_type <> 'charge'                                THEN row_key
           WHEN block = 'internal' AND NOT is_of_attempts            THEN 'credit of the carrier: ' || pool
           ELSE ''
       END;

-- Sets a value that SQL reads with current_setting until the transaction ends, as set_config does,
-- also on the servers that take part in the transaction (docs/distributed.md). Citus passes on the
-- whole text with a SET in it, so it may pass on this one only. On one server the setting of Citus
-- has no effect.
CREATE FUNCTION set_in_transaction(name text, value text) RETURNS text
LANGUAGE plpgsql AS $$
BEGIN
    PERFORM set_config('citus.propagate_set_commands', 'local', true);
    EXECUTE format('SET LOCAL %s = %L', name, value);
    PERFORM set_config('citus.propagate_set_commands', 'none', true);
    RETURN value;
END
$$;
