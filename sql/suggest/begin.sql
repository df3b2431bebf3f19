-- What nothing covers yet: cost of bills, and runs of jobs. A rule covers what it matches, whatever
-- its dates.

CREATE TEMP TABLE cost ON COMMIT DROP AS
SELECT row_number() OVER () AS cost_id, billing_currency AS currency, source, tags, service_name, service_category, resource_id, resource_name,
       resource_type, sku_id, billing_account_id, sub_account_id, sub_account_name, charge_category, invoice_issuer_name, amount, line_count
FROM (SELECT billing_currency, current_billing_line.source, tags, service_name, service_category, resource_id, resource_name, resource_type,
             sku_id, billing_account_id, sub_account_id, sub_account_name, charge_category, invoice_issuer_name,
             sum(effective_cost) AS amount, count(*) AS line_count
      FROM kstar.current_billing_line
      JOIN kstar.invoice USING (invoice_key)
      JOIN kstar.charge_kind USING (charge_kind_key)
      LEFT JOIN kstar.account USING (account_key)
      LEFT JOIN kstar.resource USING (resource_key)
      LEFT JOIN kstar.sku USING (sku_key)
      LEFT JOIN kstar.tag_set USING (tag_set_key)
      WHERE charge_category <> 'Tax'
      GROUP BY 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14) AS grouped;

CREATE TEMP TABLE cost_attribute ON COMMIT DROP AS
SELECT cost_id, match, value
FROM cost
CROSS JOIN LATERAL (VALUES ('sub_account_id', sub_account_id), ('billing_account_id', billing_account_id), ('service_name', service_name),
                           ('service_category', service_category), ('resource_id', resource_id), ('resource_name', resource_name),
                           ('sku_id', sku_id), ('charge_category', charge_category), ('invoice_issuer_name', invoice_issuer_name),
                           ('source', source)) AS attribute (match, value)
WHERE value IS NOT NULL
UNION ALL
SELECT cost_id, 'tag:' || key, value
FROM cost
CROSS JOIN LATERAL jsonb_each_text(tags::jsonb) AS tag (key, value)
WHERE value IS NOT NULL;

-- Nodes of the inventory are the jobs'.
DELETE FROM cost
WHERE cost_id IN (SELECT cost_id FROM cost_attribute
                  JOIN (SELECT match, pattern FROM kstar.mapping_rule UNION SELECT match, pattern FROM kstar.pool_rule) AS rule USING (match)
                  WHERE value LIKE kstar.glob_to_like(pattern))
   OR lower(resource_id) IN (SELECT lower(resource_id) FROM kstar.node_inventory);

CREATE TEMP TABLE covered_run ON COMMIT DROP AS
SELECT attempt_id, bool_or(is_mapping) AS has_cost_centre, bool_or(NOT is_mapping) AS has_family
FROM kstar.job
CROSS JOIN LATERAL (VALUES ('job_account', account), ('job_user', user_name), ('job_partition', partition), ('job_name', job_name),
                           ('job_comment', comment), ('job_qos', qos), ('job_wckey', wckey), ('job_cluster', cluster)) AS attribute (match, value)
JOIN (SELECT match, pattern, true FROM kstar.mapping_rule UNION ALL SELECT match, pattern, false FROM kstar.family_rule)
     AS rule (match, pattern, is_mapping) USING (match)
WHERE value LIKE kstar.glob_to_like(pattern)
GROUP BY attempt_id;

-- Runs with the cost that the last statements charged them.
CREATE TEMP TABLE run ON COMMIT DROP AS
SELECT attempt_id, cluster, job_name, account, node_count, node_count * elapsed_seconds / 3600.0 AS node_hours, charged.currency,
       coalesce(charged.amount, 0) AS amount, coalesce(has_cost_centre, false) AS has_cost_centre, coalesce(has_family, false) AS has_family
FROM kstar.job
LEFT JOIN covered_run USING (attempt_id)
LEFT JOIN (SELECT attempt_id, min(billing_currency) AS currency, sum(effective_cost) AS amount
           FROM kstar.charge
           JOIN kstar.invoice USING (invoice_key)
           WHERE target = 'job'
           GROUP BY attempt_id) AS charged USING (attempt_id)
WHERE start_time IS NOT NULL;

-- The tag that says whose cost it is: of the keys that usually do, the one with most uncovered
-- cost.
CREATE TEMP TABLE owner_tag ON COMMIT DROP AS
SELECT match
FROM cost
JOIN cost_attribute USING (cost_id)
WHERE match LIKE 'tag:%'
  AND regexp_replace(lower(substr(match, 5)), '[^a-z]', '', 'g') IN ('team', 'costcentre', 'costcenter', 'businessunit', 'department', 'project',
                                                                    'org', 'organisation', 'organization', 'group', 'squad', 'owner')
GROUP BY match
ORDER BY sum(amount) DESC, match COLLATE "C"
LIMIT 1;

-- Services that name no owner: no line of theirs has the tag or a resource. They are shared.
CREATE TEMP TABLE shared_service ON COMMIT DROP AS
SELECT service_name
FROM cost
WHERE service_name IS NOT NULL
GROUP BY service_name
HAVING count(*) FILTER (WHERE resource_id IS NOT NULL
                           OR cost_id IN (SELECT cost_id FROM cost_attribute JOIN owner_tag USING (match))) = 0
   AND sum(amount) > 0;

-- What each proposed rule would take: a line goes to its pool, else by its tag, else by its
-- account.
CREATE TEMP TABLE proposed ON COMMIT DROP AS
SELECT kind, match, pattern, name, currency, sum(amount) AS amount, sum(node_hours) AS node_hours, sum(line_count)::bigint AS line_count
FROM (SELECT 2 AS kind, match, value AS pattern, value AS name, currency, amount, 0 AS node_hours, line_count
      FROM cost JOIN cost_attribute USING (cost_id) JOIN owner_tag USING (match)
      WHERE service_name IS NULL OR service_name NOT IN (SELECT service_name FROM shared_service)
      UNION ALL
      SELECT 3, 'sub_account_id', sub_account_id, coalesce(sub_account_name, sub_account_id), currency, amount, 0, line_count
      FROM cost
      WHERE sub_account_id IS NOT NULL AND (service_name IS NULL OR service_name NOT IN (SELECT service_name FROM shared_service))
        AND cost_id NOT IN (SELECT cost_id FROM cost_attribute JOIN owner_tag USING (match))
      UNION ALL
      SELECT 1, 'job_account', account, account, coalesce(currency, 'bill'), amount, node_hours, 1
      FROM run
      WHERE account IS NOT NULL AND NOT has_cost_centre) AS each
WHERE pattern !~ '[*#]' AND pattern = btrim(pattern) AND pattern NOT IN ('', '(none)') AND octet_length(pattern) <= 512 AND name !~ '^#'
GROUP BY kind, match, pattern, name, currency;

-- One row per rule: its money in every currency, and what it is worth for the order of the rows.
CREATE TEMP TABLE proposal ON COMMIT DROP AS
SELECT kind, match, pattern, min(name) AS name, sum(amount) AS amount, sum(node_hours) AS node_hours,
       concat_ws(', ', string_agg(format('%s %s', currency, to_char(round(amount, 2), 'FM999,999,999,990.00')), ', ' ORDER BY currency)
                       FILTER (WHERE currency <> 'bill'),
                 CASE WHEN kind = 1 THEN to_char(round(sum(node_hours), 1), 'FM999,999,999,990.0') || ' node-hours of ' || sum(line_count) || ' run'
                      ELSE sum(line_count) || ' line' END || CASE WHEN sum(line_count) > 1 THEN 's' ELSE '' END) AS worth
FROM proposed
GROUP BY kind, match, pattern
HAVING sum(amount) > 0 OR sum(node_hours) > 0;

-- Families of job names that repeat and ran on more than one node, three runs at least: what may
-- scale.
CREATE TEMP TABLE proposed_family ON COMMIT DROP AS
SELECT row_number() OVER (ORDER BY sum(node_hours) DESC, job_name COLLATE "C") AS position, job_name AS family, min(currency) AS currency,
       sum(amount) AS amount, sum(node_hours) AS node_hours, count(*) AS runs, min(node_count) AS least_nodes, max(node_count) AS most_nodes
FROM run
WHERE NOT has_family AND job_name !~ '[*#]' AND btrim(job_name) = job_name AND octet_length(job_name) BETWEEN 1 AND 512
  AND job_name NOT IN (SELECT family FROM kstar.family)
GROUP BY job_name
HAVING count(*) >= 3 AND max(node_count) > 1
ORDER BY 1
LIMIT 40;
