-- A family that was measured on several accelerators has a fit for each: family names the fit ("llm on A100"),
-- jobs_family the family as jobs have it. Statements of before have their fits' own names.
ALTER TABLE family_fit ADD COLUMN jobs_family text;
UPDATE family_fit SET jobs_family = family;

-- What the scheduler calls the accelerators of an attempt, "a100,h100"; null: its record does not say of all of them.
-- Records of before are not read again.
ALTER TABLE job ADD COLUMN accelerator_types text;

-- Two names are one accelerator where each word of the shorter stands in the longer, letter case aside. Words are
-- letters and digits (ASCII); night/month/month_families.c compares measurements with jobs likewise.
CREATE FUNCTION accelerator_words(name text) RETURNS text[] LANGUAGE sql IMMUTABLE PARALLEL SAFE
RETURN array_remove(regexp_split_to_array(lower(name COLLATE "C"), '[^a-z0-9]+'), '');

-- What the attempt ran on, as its verdict took it; null: nobody knows, or published before it was kept.
ALTER TABLE job_result ADD COLUMN accelerator text;

-- The types are a fact of a month, for E(K) and with it the components follow from them. A month whose facts are those
-- of its close, or of its latest replay, stays so: a new version of kstar alone replays nothing.
CREATE TEMPORARY TABLE facts_before ON COMMIT DROP AS
SELECT statement_month, facts FROM facts_of_months(ARRAY(SELECT statement_month FROM closure));

DO $$
DECLARE
    definition text := pg_get_functiondef('facts_of_months(date[])'::regprocedure);
BEGIN
    ASSERT definition LIKE '%lists_no_accelerators, node_list%';
    EXECUTE replace(definition, 'lists_no_accelerators, node_list', 'lists_no_accelerators, accelerator_types, node_list');
END
$$;

UPDATE closure
SET facts_sha256 = now.facts
FROM facts_before
JOIN facts_of_months(ARRAY(SELECT statement_month FROM closure)) AS now USING (statement_month)
WHERE closure.statement_month = facts_before.statement_month AND closure.facts_sha256 = facts_before.facts;

UPDATE replay
SET facts_sha256 = now.facts
FROM facts_before
JOIN facts_of_months(ARRAY(SELECT statement_month FROM replay)) AS now USING (statement_month)
WHERE replay.statement_month = facts_before.statement_month AND replay.facts_sha256 = facts_before.facts;
