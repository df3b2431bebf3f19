-- Unallocated cost by reason and subject, with the file and the row that would allocate it. Row 13
-- adds up all rows, with the number of those that are not listed.
WITH open AS MATERIALIZED (
    SELECT reason, block, CASE WHEN attempt_id IS NULL THEN row_key END AS service, sum(minor_units)::bigint AS minor_units, count(DISTINCT attempt_id) AS jobs,
           array_agg(DISTINCT attempt_id) FILTER (WHERE attempt_id IS NOT NULL) AS attempts,
           row_number() OVER (ORDER BY abs(sum(minor_units)) DESC, reason COLLATE "C", CASE WHEN attempt_id IS NULL THEN row_key END COLLATE "C", block) AS place
    FROM statement_row
    WHERE statement_month = current_setting('kstar.statement_month')::date AND line_type = 'unallocated'
      AND current_setting('kstar.cost_centre') = ''
    GROUP BY reason, block, CASE WHEN attempt_id IS NULL THEN row_key END
), account AS MATERIALIZED (
    SELECT DISTINCT account FROM job
    WHERE attempt_id IN (SELECT unnest(attempts[1:200]) FROM open WHERE place <= 12)
), accounts AS (
    SELECT string_agg(account, ', ' ORDER BY account COLLATE "C") AS accounts FROM (SELECT account FROM account ORDER BY account COLLATE "C" LIMIT 3) AS first
), nodes AS (
    SELECT string_agg(node, ', ' ORDER BY minor_units DESC, node COLLATE "C") AS nodes
    FROM (SELECT coalesce(resource_name, resource_id) AS node, sum(minor_units) AS minor_units FROM statement_idle
          WHERE statement_month = current_setting('kstar.statement_month')::date AND pool IS NULL
          GROUP BY coalesce(resource_name, resource_id) ORDER BY 2 DESC, 1 LIMIT 3) AS dearest
), delivered AS (
    -- clusters whose idle nodes were delivered, not declared: a row in nodes.csv would replace the
    -- delivered node
    SELECT string_agg(DISTINCT cluster COLLATE "C", ', ') AS clusters
    FROM statement_idle
    CROSS JOIN LATERAL (VALUES (lower(statement_idle.resource_id)), (lower(regexp_replace(statement_idle.resource_id, '^.*/', '')))) AS id (name)
    JOIN node_inventory ON lower(node_inventory.resource_id) = name
    WHERE statement_month = current_setting('kstar.statement_month')::date AND pool IS NULL AND source IS NOT NULL
), machine AS ( -- services of which machine time is no node's
    SELECT DISTINCT service_name AS service FROM class_charge
    WHERE statement_month = (SELECT current_setting('kstar.statement_month')::date) AND reason = 'no rule matches' AND charge_part = 'hardware'
), waiting AS (
    SELECT string_agg(subject, ', ' ORDER BY subject COLLATE "C") AS clusters FROM statement_note
    WHERE statement_month = current_setting('kstar.statement_month')::date AND kind = 'awaiting job records' AND unit = 'node-hours'
)
SELECT upper(left(reason, 1)) || substr(reason, 2) || coalesce(': ' || service, CASE WHEN jobs > 0 THEN format(': %s', CASE jobs WHEN 1 THEN '1 job' ELSE jobs || ' jobs' END) END, '')
           || CASE block WHEN 'internal' THEN ', internal charges' ELSE '' END AS what,
       pg_temp.page_money(minor_units) AS amount,
       CASE WHEN reason = 'idle node without pool' THEN CASE WHEN delivered.clusters IS NULL THEN 'nodes.csv' ELSE 'node_types.csv' END
            WHEN reason IN ('awaiting job records') THEN 'job records'
            WHEN reason = 'no rule matches' AND is_machine THEN 'nodes.csv'
            WHEN reason IN ('job without cost centre', 'no rule matches', 'job tag of several clusters') THEN 'mapping_rules.csv'
            WHEN reason = 'quarantined' THEN 'the bill'
            WHEN reason LIKE 'pool not valid%' THEN 'pools.csv'
            WHEN reason = 'tax on unallocated cost' THEN ''
            WHEN reason LIKE 'tax%' THEN 'tax_rules.csv' ELSE 'docs/allocation.md' END AS file,
       CASE WHEN reason = 'idle node without pool' THEN 'an idle_pool for ' || coalesce('cluster ' || delivered.clusters, nodes, 'these nodes')
            WHEN reason = 'awaiting job records' THEN 'export those of ' || coalesce(waiting.clusters, 'the cluster') || ' again, up to the month''s end'
            WHEN reason = 'job without cost centre' THEN 'a row for job_account ' || coalesce(accounts, 'of these jobs')
            WHEN reason = 'no rule matches' AND is_machine
                THEN 'which node each machine was at that time; if none: a row for service_name ' || service || ' in mapping_rules.csv'
            WHEN reason = 'no rule matches' THEN 'a row for service_name ' || coalesce(service, '') || '; shared cost: pool_rules.csv'
            WHEN reason = 'quarantined' THEN 'mend the row and deliver the bill again: kstar ingest quarantine shows it'
            WHEN reason = 'job tag of several clusters' THEN 'a row for what else its lines have, such as another tag'
            WHEN reason LIKE 'pool not valid%' THEN 'a row that is valid on the month''s last day'
            WHEN reason LIKE 'tax on a prepayment%' THEN 'a prepaid_gl_account in the issuer''s row'
            WHEN reason = 'tax on unallocated cost' THEN 'none: it goes where the cost goes'
            WHEN reason LIKE 'tax%' THEN 'a row for this tax' ELSE 'see the reason there' END AS mend,
       place, false AS is_total
FROM open CROSS JOIN accounts CROSS JOIN nodes CROSS JOIN delivered CROSS JOIN waiting
CROSS JOIN LATERAL (SELECT service IN (SELECT service FROM machine)) AS of_node (is_machine)
WHERE place <= 12
UNION ALL
SELECT CASE WHEN count(*) > 12 THEN format('Together, with %s other rows', count(*) - 12) ELSE 'Together' END, pg_temp.page_money(sum(minor_units)), NULL, NULL, 13, true
FROM open
HAVING count(*) > 0
ORDER BY place;
