-- Checks the rows of a reference delivery against each other and against other files. Returns one
-- row with the message of the first problem (by file, then line), the number of problems, and how
-- to correct it. No row: all is well. Each field alone was checked before.
WITH
-- Columns with a name that another file declares. An empty field names nothing: the row is for all.
name_used (file, column_name, declared_in, declared_as, word) AS (
    VALUES ('mapping_rules.csv',  'cost_centre', 'cost_centres.csv', 'cost_centre', 'cost centre'),
           ('pools.csv',          'owner',       'cost_centres.csv', 'cost_centre', 'cost centre'),
           ('pool_rules.csv',     'pool',        'pools.csv',        'pool',        'pool'),
           ('pool_weights.csv',   'pool',        'pools.csv',        'pool',        'pool'),
           ('pool_weights.csv',   'cost_centre', 'cost_centres.csv', 'cost_centre', 'cost centre'),
           ('node_types.csv',     'idle_pool',   'pools.csv',        'pool',        'pool'),
           ('nodes.csv',          'idle_pool',   'pools.csv',        'pool',        'pool'),
           ('node_rates.csv',     'owner',       'cost_centres.csv', 'cost_centre', 'cost centre'),
           ('refund_rules.csv',   'pool',        'pools.csv',        'pool',        'pool'),
           ('overhead_rates.csv', 'carrier',     'cost_centres.csv', 'cost_centre', 'cost centre'),
           ('engineering.csv',    'cost_centre', 'cost_centres.csv', 'cost_centre', 'cost centre'),
           ('engineering.csv',    'carrier',     'cost_centres.csv', 'cost_centre', 'cost centre'),
           ('engineering.csv',    'family',      'families.csv',     'family',      'family'),
           ('interruptions.csv',  'family',      'families.csv',     'family',      'family'),
           ('planned_trainings.csv', 'family',   'families.csv',     'family',      'family'),
           ('planned_trainings.csv', 'cost_centre', 'cost_centres.csv', 'cost_centre', 'cost centre'),
           ('budgets.csv',        'cost_centre', 'cost_centres.csv', 'cost_centre', 'cost centre'),
           ('readers.csv',        'cost_centre', 'cost_centres.csv', 'cost_centre', 'cost centre'),
           ('serving_fleets.csv', 'cost_centre', 'cost_centres.csv', 'cost_centre', 'cost centre'),
           ('serving_measurements.csv', 'fleet', 'serving_fleets.csv', 'fleet',    'fleet'),
           ('family_rules.csv',   'family',      'families.csv',     'family',      'family')
),
name_declared AS (
    SELECT DISTINCT file, declared_as, record ->> declared_as AS name
    FROM staged_reference
    JOIN (SELECT DISTINCT declared_in, declared_as FROM name_used) AS declaration ON declared_in = file
),
unknown_name AS (
    SELECT used.file, line, column_name, used.name AS value,
           format('is no %s of %s', word, declared_in) AS problem
    FROM (SELECT file, line, column_name, declared_in, declared_as, word, nullif(record ->> column_name, '') AS name
          FROM staged_reference
          JOIN name_used USING (file)
          WHERE nullif(record ->> column_name, '') IS NOT NULL
            AND NOT (file = 'readers.csv' AND record ->> column_name = '*')) AS used -- every one
    LEFT JOIN name_declared ON name_declared.file = used.declared_in AND name_declared.name = used.name
    WHERE name_declared.name IS NULL
),
-- From here on only new rows are checked: rows in force passed when they came.
new_row AS (
    SELECT file, line, key, record,
           coalesce((record ->> 'valid_from')::timestamptz, '-infinity') AS valid_from,
           coalesce((record ->> 'valid_to')::timestamptz, 'infinity')    AS valid_to
    FROM staged_reference
    WHERE line IS NOT NULL
),
empty_validity AS (
    SELECT file, line, 'valid_to' AS column_name, record ->> 'valid_to' AS value,
           format('is not after valid_from %s', record ->> 'valid_from') AS problem
    FROM new_row
    WHERE valid_to <= valid_from
),
overlap AS (
    SELECT file, line, NULL AS column_name, replace(key, chr(31), ', ') AS value,
           format('was declared for the same time in line %s', earlier_line) AS problem
    FROM (SELECT file, line, key, valid_from,
                 max(valid_to) OVER earlier_rows AS declared_to,
                 last_value(line) OVER earlier_rows AS earlier_line
          FROM new_row
          -- in these files an empty key is for all
          WHERE key <> '' OR file IN ('node_accelerators.csv', 'node_power.csv', 'grid_intensity.csv')
          WINDOW earlier_rows AS (PARTITION BY file, key ORDER BY valid_from, line
                                  ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING)) AS in_time
    WHERE declared_to > valid_from
),
-- Percentages from 1 on.
threshold_form (pattern, problem) AS (
    VALUES ('^(none|[1-9][0-9]{0,3}([.][0-9]{1,2})?( +[1-9][0-9]{0,3}([.][0-9]{1,2})?)*)$',
            'is neither a list of percentages from 1 on, as "80 100", nor "none"')
),
-- Rules between the columns of one row.
row_rule AS (
    SELECT file, line, 'basis', record ->> 'basis',
           CASE WHEN record ->> 'basis' IS NULL THEN 'is needed by a proportional split'
                ELSE format('does not go with split %s', record ->> 'split') END
    FROM new_row
    WHERE file = 'pools.csv' AND (record ->> 'split' = 'proportional') <> (record ->> 'basis' IS NOT NULL)
    UNION ALL
    SELECT file, line, 'hours', record ->> 'hours',
           'give either hours and hourly_rate, or annual_cost and time_share'
    FROM new_row
    WHERE file = 'engineering.csv'
      AND (num_nonnulls(record ->> 'hours', record ->> 'hourly_rate') <> 2
           OR num_nonnulls(record ->> 'annual_cost', record ->> 'time_share') <> 0)
      AND (num_nonnulls(record ->> 'hours', record ->> 'hourly_rate') <> 0
           OR num_nonnulls(record ->> 'annual_cost', record ->> 'time_share') <> 2)
    UNION ALL
    SELECT file, line, column_name, record ->> column_name, 'is what all of them together, or none, are called'
    FROM new_row
    JOIN (VALUES ('cost_centres.csv', 'cost_centre'), ('families.csv', 'family')) AS named (file, column_name) USING (file)
    WHERE record ->> column_name IN ('*', '(none)')
    UNION ALL
    SELECT file, line, 'maximum_k', record ->> 'maximum_k',
           format('is below minimum_k %s', record ->> 'minimum_k')
    FROM new_row
    WHERE file = 'families.csv' AND (record ->> 'maximum_k')::integer < (record ->> 'minimum_k')::integer
    UNION ALL
    SELECT file, line, 'allowed_k', record ->> 'allowed_k', 'is neither a list as "1 2 4 8" nor "powers of two"'
    FROM new_row
    WHERE file = 'families.csv' AND record ->> 'allowed_k' !~ '^([1-9][0-9]{0,8}( +[1-9][0-9]{0,8})*|powers of two)$'
    UNION ALL -- the limits of month_families.h and node_limits.h
    SELECT file, line, 'allowed_k', record ->> 'allowed_k', 'lists more than 64 node counts, or one above 1048576'
    FROM new_row
    CROSS JOIN LATERAL (SELECT count(*) AS counted, max(k::integer) AS largest
                        FROM regexp_split_to_table(record ->> 'allowed_k', ' +') AS allowed (k)
                        WHERE k ~ '^[1-9][0-9]{0,8}$') AS allowed
    WHERE file = 'families.csv' AND (counted > 64 OR largest > 1048576)
    UNION ALL
    SELECT file, line, 'gres_type', record ->> 'gres_type',
           CASE WHEN record ->> 'gres_type' ~ '[:/=,]' THEN 'is not a type alone, as h100 of gres/gpu:h100' ELSE 'does not go with a node_type' END
    FROM new_row
    WHERE file = 'node_accelerators.csv' AND record ->> 'gres_type' <> ''
      AND (record ->> 'gres_type' ~ '[:/=,]' OR record ->> 'node_type' <> '')
    UNION ALL
    SELECT file, line, 'accelerators_per_node', NULL, 'is needed by unit accelerators'
    FROM new_row
    WHERE file = 'families.csv' AND record ->> 'unit' = 'accelerators' AND record ->> 'accelerators_per_node' IS NULL
    UNION ALL
    SELECT file, line, 'value', record ->> 'value', problem
    FROM new_row
    JOIN (VALUES ('journal_delimiter',    '^([,;|]|tab)$',   'is none of , ; | tab'),
                 ('journal_decimal_mark', '^[.,]$',          'is neither . nor ,'),
                 ('journal_date_form',    '^(YYYY[-./ ]?MM[-./ ]?DD|DD[-./ ]?MM[-./ ]?YYYY|MM[-./ ]?DD[-./ ]?YYYY)$',
                                          'is no form of a date such as YYYY-MM-DD, DD.MM.YYYY or YYYYMMDD'),
                 ('budget_spent_thresholds', (SELECT pattern FROM threshold_form), (SELECT problem FROM threshold_form)),
                 ('budget_forecast_thresholds', (SELECT pattern FROM threshold_form), (SELECT problem FROM threshold_form)),
                 ('journal_internal',
                  '^(internal_overhead|engineering_overhead|internal_hardware)( +(internal_overhead|engineering_overhead|internal_hardware))*$',
                  'is no list of internal_overhead, engineering_overhead, internal_hardware')) AS form (parameter, pattern, problem)
         ON record ->> 'parameter' = parameter
    WHERE file = 'settings.csv' AND record ->> 'value' !~ pattern
    UNION ALL
    SELECT file, line, column_name, record ->> column_name, problem
    FROM new_row
    CROSS JOIN threshold_form
    CROSS JOIN (VALUES ('spent_thresholds'), ('forecast_thresholds')) AS thresholds (column_name)
    WHERE file = 'budgets.csv' AND record ->> column_name !~ pattern
    UNION ALL
    SELECT file, line, 'watts_idle', record ->> 'watts_idle', format('is above watts_at_load %s', record ->> 'watts_at_load')
    FROM new_row
    WHERE file = 'node_power.csv' AND (record ->> 'watts_idle')::numeric > (record ->> 'watts_at_load')::numeric
    UNION ALL
    SELECT file, line, 'pue', record ->> 'pue', 'is below 1: a building draws at least what its nodes draw'
    FROM new_row
    WHERE file = 'grid_intensity.csv' AND (record ->> 'pue')::numeric < 1
    UNION ALL
    SELECT file, line, 'price_per_replica_hour', record ->> 'price_per_replica_hour',
           'give either price_per_replica_hour, or match and pattern of the bill''s lines'
    FROM new_row
    WHERE file = 'serving_fleets.csv'
      AND (num_nonnulls(record ->> 'price_per_replica_hour', record ->> 'match') <> 1
           OR num_nonnulls(record ->> 'match', record ->> 'pattern') = 1)
    UNION ALL
    SELECT file, line, 'latency_percentile', record ->> 'latency_percentile', 'is above 100'
    FROM new_row
    WHERE file IN ('serving_fleets.csv', 'serving_measurements.csv') AND (record ->> 'latency_percentile')::numeric > 100
    UNION ALL
    SELECT file, line, 'time_zone', record ->> 'time_zone', 'is no time zone (as "Europe/Zurich")'
    FROM new_row
    WHERE file = 'sources.csv' AND record ->> 'time_zone' NOT IN (SELECT name FROM pg_timezone_names)
),
problem AS (
    SELECT * FROM unknown_name
    UNION ALL SELECT * FROM empty_validity
    UNION ALL SELECT * FROM overlap
    UNION ALL SELECT * FROM row_rule
)
SELECT concat(coalesce(staged_reference_file.path, problem.file || ' (in force)'),
              ', line ' || line,
              ', column ' || column_name,
              ': ',
              '"' || value || '" ',
              problem.problem) AS message,
       count(*) OVER ()        AS problems,
       CASE WHEN problem.problem LIKE 'was declared for the same time%' THEN 'delete one of the two rows, or give them valid_from and valid_to'
            WHEN problem.problem LIKE 'is no % of %.csv' THEN 'add a row for it to ' || substring(problem.problem FROM '[a-z_]+[.]csv$') || ', or correct the name'
            ELSE 'docs/reference.md describes the column' END AS hint
FROM problem
LEFT JOIN staged_reference_file USING (file)
ORDER BY line IS NULL, problem.file COLLATE "C", line, column_name
LIMIT 1;
