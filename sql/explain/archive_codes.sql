-- A part as it is archived. All its digits but the last follow from the whole and the weight
-- (exact_split.h). 'w' is the whole. 'a' is whole × weight ÷ weights, cut off after the whole's
-- scale + 6 digits. 'b' is one unit of the last digit more. All else is the number itself. The
-- scale is cast to text, because || with an integer is not immutable: PostgreSQL would call each
-- function per row.
CREATE OR REPLACE FUNCTION pg_temp.cut_off(whole numeric, weight numeric, weights numeric) RETURNS numeric
LANGUAGE sql IMMUTABLE
RETURN div(abs(whole) * ('1e' || (scale(whole) + 6)::text)::numeric * weight, weights);

CREATE OR REPLACE FUNCTION pg_temp.part_code(part numeric, whole numeric, weight numeric, weights numeric) RETURNS text
LANGUAGE sql IMMUTABLE
RETURN CASE WHEN part = whole THEN 'w'
            WHEN weights > 0
                THEN CASE sign(whole) * part * ('1e' || (scale(whole) + 6)::text)::numeric - pg_temp.cut_off(whole, weight, weights)
                         WHEN 0 THEN 'a' WHEN 1 THEN 'b' ELSE part::text END
            ELSE part::text END;

CREATE OR REPLACE FUNCTION pg_temp.coded_part(code text, whole numeric, weight numeric, weights numeric) RETURNS numeric
LANGUAGE sql IMMUTABLE
RETURN CASE WHEN code = 'w' THEN trim_scale(whole)
            WHEN code IN ('a', 'b')
                THEN trim_scale(sign(whole) * (pg_temp.cut_off(whole, weight, weights) + (code = 'b')::integer)
                                * ('1e-' || (scale(whole) + 6)::text)::numeric)
            ELSE code::numeric END;

-- The rows of `explained` as they stand in a chunk: with codes in place of seconds, costs and
-- amount.
CREATE TEMP TABLE archived (LIKE explained) ON COMMIT DROP;
ALTER TABLE archived ALTER seconds TYPE text, ALTER billed_cost TYPE text, ALTER effective_cost TYPE text, ALTER list_cost TYPE text,
                     ALTER contracted_cost TYPE text, ALTER amount TYPE text;
