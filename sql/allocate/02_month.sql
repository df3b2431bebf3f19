-- The month that is worked out: one row, which every other step reads.

-- The value of a setting on a day, or its default.
CREATE OR REPLACE FUNCTION pg_temp.setting_on(name text, day date, default_value text) RETURNS text
LANGUAGE sql STABLE
RETURN coalesce((SELECT value FROM setting -- in a replay: as frozen at the close
                 WHERE parameter = name AND valid_from <= day AND day < valid_to
                 ORDER BY valid_from DESC LIMIT 1), default_value);

CREATE TEMP TABLE month ON COMMIT DROP AS
WITH bounds AS (
    SELECT statement_month,
           -- the same month in a replay, otherwise null
           nullif(current_setting('kstar.replayed_month', true), '')::date AS replayed_month,
           statement_month::timestamptz                                    AS month_start,
           (statement_month + interval '1 month')::timestamptz             AS month_end,
           (statement_month + interval '1 month')::date - 1                AS last_day
    FROM (SELECT current_setting('kstar.statement_month')::date AS statement_month) AS requested
)
SELECT bounds.*, statement_currency, coalesce(digits, 2) AS minor_unit_digits,
       pg_temp.setting_on('job_tag_key', last_day, 'job_id')                     AS job_tag_key,
       pg_temp.setting_on('waiting_cost_per_hour', last_day, '0')::numeric       AS waiting_cost_per_hour,
       pg_temp.setting_on('near_k_star_share', last_day, '0.05')::numeric        AS near_k_star_share,
       -- failures of nodes are counted from here to the month's end
       (statement_month - make_interval(months => pg_temp.setting_on('node_failure_window_months', last_day, '3')::integer - 1))::timestamptz
                                                                                 AS failures_from
FROM bounds
CROSS JOIN LATERAL (SELECT pg_temp.setting_on('statement_currency', last_day, 'USD')) AS stated (statement_currency)
LEFT JOIN currency_minor_unit ON currency = statement_currency;

ANALYZE month;

-- The families of the month. Each has its latest row that overlaps the month. A row that ends
-- within the month counts, too, because a job gets its family on the day of its start. The view
-- stated_family_of_month has the same rows for statements.
CREATE TEMP TABLE family_of_month ON COMMIT DROP AS
SELECT DISTINCT ON (family) family.*
FROM family CROSS JOIN month
WHERE valid_from <= last_day AND valid_to > statement_month
ORDER BY family, valid_from DESC;

ANALYZE family_of_month;
