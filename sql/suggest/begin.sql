-- Cost of bills and runs of jobs that no rule covers yet. A rule covers what it matches, whatever
-- its dates.

-- Whether a value can be a row of a reference file and, as a pattern, matches itself alone: '*' is
-- any text, white space at the ends is not read, and a line that begins with '#' is a comment.
CREATE FUNCTION pg_temp.can_be_row(value text) RETURNS boolean
LANGUAGE sql IMMUTABLE
RETURN value IS NOT NULL AND value NOT IN ('', '(none)') AND value !~ '[*]|^#' AND value = btrim(value, E' \t\r\n') AND octet_length(value) <= 512;

CREATE FUNCTION pg_temp.money(currency text, amount numeric) RETURNS text
LANGUAGE sql IMMUTABLE
RETURN format('%s %s', currency, to_char(round(amount, 2), 'FM999,999,999,990.00'));

-- Cost of bills without tax and prepaid purchases, which no mapping rule takes. Descriptions differ
-- from line to line, so they are read only if a rule asks for them.
CREATE TEMP TABLE cost ON COMMIT DROP AS
SELECT row_number() OVER () AS cost_id, grouped.*
FROM (SELECT billing_currency AS currency, current_billing_line.source, tags, service_name, service_category, resource_id, resource_name, sku_id,
             billing_account_id, sub_account_id, sub_account_name, charge_category, commitment_discount_id, commitment_discount_status,
             capacity_reservation_status, invoice_issuer_name,
             -- SELECT match: Citus sends nothing to other servers without a column.
             CASE WHEN EXISTS (SELECT match FROM kstar.mapping_rule WHERE match = 'charge_description')
                    OR EXISTS (SELECT match FROM kstar.pool_rule WHERE match = 'charge_description') THEN charge_description END AS charge_description,
             sum(effective_cost) AS amount, count(*) AS line_count
      FROM kstar.current_billing_line
      JOIN kstar.invoice USING (invoice_key)
      JOIN kstar.charge_kind USING (charge_kind_key)
      LEFT JOIN kstar.account USING (account_key)
      LEFT JOIN kstar.resource USING (resource_key)
      LEFT JOIN kstar.sku USING (sku_key)
      LEFT JOIN kstar.commitment USING (commitment_key)
      LEFT JOIN kstar.tag_set USING (tag_set_key)
      LEFT JOIN kstar.charge_description USING (charge_description_key)
      WHERE charge_category <> 'Tax' AND NOT (charge_category = 'Purchase' AND commitment_discount_id IS NOT NULL AND effective_cost = 0)
      GROUP BY 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17) AS grouped;

CREATE TEMP TABLE cost_attribute ON COMMIT DROP AS
SELECT cost_id, match, value
FROM cost
CROSS JOIN LATERAL (VALUES ('sub_account_id', sub_account_id), ('billing_account_id', billing_account_id), ('service_name', service_name),
                           ('service_category', service_category), ('resource_id', resource_id), ('resource_name', resource_name),
                           ('sku_id', sku_id), ('charge_category', charge_category), ('charge_description', charge_description),
                           ('commitment_discount_id', commitment_discount_id), ('commitment_discount_status', commitment_discount_status),
                           ('capacity_reservation_status', capacity_reservation_status), ('invoice_issuer_name', invoice_issuer_name),
                           ('source', source)) AS attribute (match, value)
WHERE value IS NOT NULL
UNION ALL
SELECT cost_id, 'tag:' || key, value
FROM cost
CROSS JOIN LATERAL jsonb_each_text(tags::jsonb) AS tag (key, value)
WHERE value IS NOT NULL;

-- Cost of nodes in the inventory: by the whole resource id, or by what follows its last '/'.
CREATE TEMP TABLE node_cost ON COMMIT DROP AS
SELECT DISTINCT cost_id
FROM cost
CROSS JOIN LATERAL (VALUES (lower(resource_id)), (lower(regexp_replace(resource_id, '^.*/', '')))) AS id (name)
WHERE name IN (SELECT lower(resource_id) FROM kstar.node_inventory);

-- Cost is covered if a rule matches it, or if jobs pay it: nodes, a managed job's own resource, and
-- lines whose tag names a job.
CREATE TEMP TABLE covered ON COMMIT DROP AS
SELECT cost_id
FROM cost_attribute
JOIN (SELECT match, pattern FROM kstar.mapping_rule UNION SELECT match, pattern FROM kstar.pool_rule) AS rule USING (match)
WHERE value LIKE kstar.glob_to_like(pattern)
UNION
SELECT cost_id
FROM cost_attribute
WHERE match = 'tag:' || coalesce((SELECT value FROM kstar.setting WHERE parameter = 'job_tag_key' ORDER BY valid_from DESC LIMIT 1), 'job_id')
  AND value IN (SELECT job_id FROM kstar.job UNION SELECT job_id_raw FROM kstar.job)
UNION
SELECT cost_id FROM node_cost
UNION
SELECT cost_id
FROM cost
CROSS JOIN LATERAL (VALUES (lower(resource_id)), (kstar.relative_name(resource_id))) AS own (name)
WHERE name IN (SELECT lower(resource_id) FROM kstar.job WHERE resource_id IS NOT NULL);

-- Services with a resource, or with cost that is covered: a rule for the whole service would take
-- that cost, too.
CREATE TEMP TABLE owned_service ON COMMIT DROP AS
SELECT DISTINCT service_name
FROM cost
WHERE service_name IS NOT NULL AND (resource_id IS NOT NULL OR cost_id IN (SELECT cost_id FROM covered));

CREATE TEMP TABLE uncovered ON COMMIT DROP AS
SELECT * FROM cost
WHERE cost_id NOT IN (SELECT cost_id FROM covered);

CREATE TEMP TABLE covered_run ON COMMIT DROP AS
SELECT attempt_id, bool_or(is_mapping) AS has_cost_centre, bool_or(NOT is_mapping) AS has_family
FROM kstar.job
CROSS JOIN LATERAL (VALUES ('job_account', account), ('job_user', user_name), ('job_partition', partition), ('job_name', job_name),
                           ('job_comment', comment), ('job_qos', qos), ('job_wckey', wckey), ('job_cluster', cluster)) AS attribute (match, value)
JOIN (SELECT match, pattern, true FROM kstar.mapping_rule UNION ALL SELECT match, pattern, false FROM kstar.family_rule)
     AS rule (match, pattern, is_mapping) USING (match)
WHERE value LIKE kstar.glob_to_like(pattern)
GROUP BY attempt_id;

CREATE TEMP TABLE run ON COMMIT DROP AS
SELECT attempt_id, cluster, job_name, account, node_count, node_count * elapsed_seconds / 3600.0 AS node_hours,
       coalesce(has_cost_centre, false) AS has_cost_centre, coalesce(has_family, false) AS has_family
FROM kstar.job
LEFT JOIN covered_run USING (attempt_id)
WHERE start_time IS NOT NULL;

-- What the statements charged the runs.
CREATE TEMP TABLE run_cost ON COMMIT DROP AS
SELECT attempt_id, billing_currency AS currency, sum(effective_cost) AS amount
FROM kstar.charge
JOIN kstar.invoice USING (invoice_key)
WHERE target = 'job'
GROUP BY attempt_id, billing_currency;

-- The tag that names the owner of cost: of the usual keys the one with most uncovered cost. All
-- spellings count, because one cloud has Team and another has team.
CREATE TEMP TABLE owner_tag ON COMMIT DROP AS
WITH usual AS (
    SELECT match, word, amount
    FROM uncovered
    JOIN cost_attribute USING (cost_id)
    CROSS JOIN LATERAL (SELECT regexp_replace(lower(substr(match, 5)), '[^a-z]', '', 'g')) AS plain (word)
    WHERE match LIKE 'tag:%'
      AND word IN ('team', 'costcentre', 'costcenter', 'businessunit', 'department', 'project', 'org', 'organisation', 'organization', 'group',
                   'squad', 'owner')
)
SELECT DISTINCT match
FROM usual
WHERE word = (SELECT word FROM usual GROUP BY word ORDER BY sum(amount) DESC, word COLLATE "C" LIMIT 1);

CREATE TEMP TABLE owner ON COMMIT DROP AS
SELECT DISTINCT ON (cost_id) cost_id, match, value
FROM cost_attribute
JOIN owner_tag USING (match)
JOIN uncovered USING (cost_id)
ORDER BY cost_id, pg_temp.can_be_row(value) DESC, match COLLATE "C";

-- Shared services: none of their lines has the owner's tag or a resource.
CREATE TEMP TABLE shared_service ON COMMIT DROP AS
SELECT service_name
FROM uncovered
WHERE pg_temp.can_be_row(service_name)
  AND service_name NOT IN (SELECT service_name FROM owned_service)
GROUP BY service_name
HAVING count(*) FILTER (WHERE cost_id IN (SELECT cost_id FROM owner)) = 0 AND sum(amount) > 0;

-- The cost that each proposed rule would take. A line goes to its pool, else by its tag, else by
-- its account.
CREATE TEMP TABLE proposed ON COMMIT DROP AS
SELECT kind, match, pattern, name, currency, sum(amount) AS amount, sum(node_hours) AS node_hours, sum(line_count)::bigint AS line_count
FROM (SELECT 2 AS kind, match, value AS pattern, value AS name, currency, amount, 0 AS node_hours, line_count
      FROM uncovered JOIN owner USING (cost_id)
      UNION ALL
      SELECT 3, 'sub_account_id', sub_account_id, CASE WHEN pg_temp.can_be_row(sub_account_name) THEN sub_account_name ELSE sub_account_id END,
             currency, amount, 0, line_count
      FROM uncovered
      WHERE (service_name IS NULL OR service_name NOT IN (SELECT service_name FROM shared_service))
        AND cost_id NOT IN (SELECT cost_id FROM owner WHERE pg_temp.can_be_row(value))
      UNION ALL
      SELECT 1, 'job_account', account, account, 'bill', 0, node_hours, 1
      FROM run
      WHERE NOT has_cost_centre
      UNION ALL
      SELECT 1, 'job_account', account, account, currency, amount, 0, 0
      FROM run JOIN run_cost USING (attempt_id)
      WHERE NOT has_cost_centre) AS each
WHERE pg_temp.can_be_row(pattern)
GROUP BY kind, match, pattern, name, currency;

-- One row per rule. `worth` is its money in every currency; the amounts give the order of the rows.
CREATE TEMP TABLE proposal ON COMMIT DROP AS
SELECT kind, match, pattern, min(name) AS name, sum(amount) AS amount, sum(node_hours) AS node_hours,
       concat_ws(', ', string_agg(pg_temp.money(currency, amount), ', ' ORDER BY currency) FILTER (WHERE currency <> 'bill'),
                 CASE WHEN kind = 1 THEN to_char(round(sum(node_hours), 1), 'FM999,999,999,990.0') || ' node-hours of ' || sum(line_count) || ' run'
                      ELSE sum(line_count) || ' line' END || CASE WHEN sum(line_count) > 1 THEN 's' ELSE '' END) AS worth
FROM proposed
GROUP BY kind, match, pattern
HAVING bool_or(amount <> 0) OR sum(node_hours) > 0;

-- Proposed families: job names with at least three runs that ran on more than one node. Such jobs
-- may scale.
CREATE TEMP TABLE proposed_family ON COMMIT DROP AS
SELECT row_number() OVER (ORDER BY sum(node_hours) DESC, job_name COLLATE "C") AS position, job_name AS family,
       sum(node_hours) AS node_hours, count(*) AS runs, min(node_count) AS least_nodes, max(node_count) AS most_nodes
FROM run
WHERE NOT has_family AND pg_temp.can_be_row(job_name)
  AND job_name NOT IN (SELECT family FROM kstar.family)
GROUP BY job_name
HAVING count(*) >= 3 AND max(node_count) > 1
ORDER BY 1
LIMIT 40;
