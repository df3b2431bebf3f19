-- The accelerators that an attempt ran on in the month. The types in the job's record count first,
-- such as "h100" of gres/gpu:h100. A type is known if node_accelerators.csv has a row for it. It is
-- also known if it matches a name of the file or of a measurement: in the same words, or, for a
-- type with a digit, if all names that match it are one accelerator. If a type is unknown, the
-- types of the job's nodes count, by node_accelerators.csv; of a managed job only its cluster is
-- known. Several are joined with "and". One unknown node makes the accelerator unknown. The
-- components of a heterogeneous job are one job; among records only components with accelerators
-- count.
--
-- A slice of an accelerator (MIG: 1g.10gb, a100_1g.5gb) needs a row of the file: its nodes do not
-- count. If record and nodes name the same accelerator, the name with more words counts.
CREATE TEMP TABLE attempt_accelerator ON COMMIT DROP AS
WITH RECURSIVE declared AS MATERIALIZED (
    SELECT node_accelerator.*
    FROM node_accelerator
    CROSS JOIN month
    WHERE node_accelerator.valid_from < (statement_month + interval '1 month')::date AND node_accelerator.valid_to > statement_month
-- Finds each name once, by the index: there may be a measurement for each job of all years.
), measured AS (
    SELECT min(accelerator) AS accelerator FROM measurement WHERE accelerator <> ''
    UNION ALL
    SELECT (SELECT min(accelerator) FROM measurement WHERE measurement.accelerator > measured.accelerator AND measurement.accelerator <> '')
    FROM measured
    WHERE accelerator IS NOT NULL
), known_name AS MATERIALIZED (
    SELECT accelerator_words(accelerator) AS words FROM declared
    UNION
    SELECT accelerator_words(accelerator) FROM measured WHERE accelerator IS NOT NULL
), stated AS MATERIALIZED (
    SELECT attempt_id, coalesce(whole, attempt_id) AS one_job, job.cluster,
           -- Without a type in its record a component adds an empty, unknown one.
           string_agg(coalesce(accelerator_types, ''), ',') FILTER (WHERE NOT lists_no_accelerators)
               OVER (PARTITION BY coalesce(whole, attempt_id)) AS types
    FROM attempt
    JOIN job USING (attempt_id)
    LEFT JOIN job_component USING (attempt_id)
), listed AS MATERIALIZED ( -- each list of types once, however many jobs have it
    SELECT cluster, types, gres_type
    FROM (SELECT DISTINCT cluster, types FROM stated) AS list
    CROSS JOIN string_to_table(types, ',', '') AS gres_type
), named_type AS (
    SELECT cluster, gres_type, is_slice,
           coalesce(row_of_type.accelerator,
                    CASE WHEN NOT is_slice AND (is_name OR (gres_type ~ '[0-9]' AND is_of_one)) THEN gres_type END) AS accelerator
    FROM (SELECT DISTINCT cluster, gres_type FROM listed WHERE gres_type IS NOT NULL) AS recorded
    CROSS JOIN LATERAL (SELECT gres_type ~* '[0-9]g\.[0-9]+gb') AS slice (is_slice)
    LEFT JOIN LATERAL (SELECT accelerator
                       FROM declared
                       WHERE lower(declared.gres_type) = lower(recorded.gres_type) AND declared.cluster IN ('', recorded.cluster)
                       ORDER BY declared.cluster = '', valid_from
                       LIMIT 1) AS row_of_type ON true
    CROSS JOIN LATERAL (SELECT coalesce(bool_or(one.words <@ own AND own <@ one.words), false) AS is_name,
                               -- Null: no known name matches.
                               bool_and(one.words <@ other.words OR other.words <@ one.words)      AS is_of_one
                        FROM accelerator_words(gres_type) AS own
                        JOIN known_name AS one ON one.words <@ own OR own <@ one.words
                        JOIN known_name AS other ON other.words <@ own OR own <@ other.words) AS alike
), of_record AS (
    SELECT cluster, types, CASE WHEN bool_and(accelerator IS NOT NULL) THEN string_agg(DISTINCT accelerator, ' and ' ORDER BY accelerator) END AS accelerator,
           min(gres_type) FILTER (WHERE accelerator IS NULL) AS unknown_type, bool_or(is_slice AND accelerator IS NULL) AS has_slice
    FROM listed
    LEFT JOIN named_type USING (cluster, gres_type)
    GROUP BY cluster, types
), place AS MATERIALIZED (
    SELECT DISTINCT coalesce(whole, attempt_id) AS one_job, held.cluster, coalesce(node_type, '') AS node_type
    FROM (SELECT attempt_id, cluster, node_type FROM held_time
          UNION ALL -- instances of a managed job have no type
          SELECT attempt_id, cluster, NULL FROM attempt_month JOIN (SELECT attempt_id FROM managed_attempt) AS managed USING (attempt_id)) AS held
    LEFT JOIN job_component USING (attempt_id)
    WHERE EXISTS (SELECT FROM declared WHERE gres_type = '')
), of_type AS (
    SELECT DISTINCT ON (kind.cluster, kind.node_type) kind.cluster, kind.node_type, accelerator
    FROM (SELECT DISTINCT cluster, node_type FROM place) AS kind
    JOIN declared ON declared.cluster IN ('', kind.cluster) AND declared.node_type IN ('', kind.node_type) AND gres_type = ''
    ORDER BY kind.cluster, kind.node_type, declared.node_type = '', declared.cluster = '', valid_from
), of_nodes AS (
    SELECT one_job, string_agg(DISTINCT accelerator, ' and ' ORDER BY accelerator) AS accelerator, count(DISTINCT accelerator) AS accelerators
    FROM place
    LEFT JOIN of_type USING (cluster, node_type)
    GROUP BY one_job
    HAVING bool_and(accelerator IS NOT NULL)
)
SELECT attempt_id, found.accelerator, CASE WHEN found.accelerator IS NULL THEN unknown_type END AS unknown_type
FROM stated
LEFT JOIN of_record USING (cluster, types)
LEFT JOIN of_nodes USING (one_job)
CROSS JOIN LATERAL (SELECT CASE WHEN has_slice THEN NULL
                                WHEN of_record.accelerator IS NULL THEN of_nodes.accelerator
                                WHEN accelerators = 1 AND accelerator_words(of_record.accelerator) <@ accelerator_words(of_nodes.accelerator)
                                    THEN of_nodes.accelerator
                                ELSE of_record.accelerator END) AS found (accelerator)
WHERE found.accelerator IS NOT NULL OR unknown_type IS NOT NULL;

ANALYZE attempt_accelerator;
