-- Internal charges (docs/amounts.md, Internal charges): for each carrier and kind an amount in
-- statement currency, split over attempts by time. The amount is price × quantity in the month ÷
-- quantity that the price is for. The factor 1.000… has the division keep 24 digits, which are
-- rounded to 12.
CREATE TEMP TABLE transfer ON COMMIT DROP AS
WITH priced AS (
    SELECT 'internal_overhead' AS component, name, valid_from, carrier, currency, NULL::text AS cost_centre,
           NULL::text AS family, cluster, NULL::bigint AS rate_no, amount_per_hour AS price,
           greatest(seconds_between(greatest(valid_from::timestamptz, month_start),
                                    least(valid_to::timestamptz, month_end, (SELECT max(horizon) FROM job_horizon))), 0) AS in_month,
           3600 AS per
    FROM overhead_rate CROSS JOIN month
    WHERE valid_from <= last_day AND valid_to > statement_month
    UNION ALL
    SELECT 'engineering_overhead', name, valid_from, carrier, currency, cost_centre, family, NULL, NULL,
           coalesce(hours * hourly_rate, annual_cost * time_share), -- each row has one of the two
           least(valid_to, last_day + 1) - greatest(valid_from, statement_month),
           CASE WHEN hours IS NULL THEN 12 * (last_day + 1 - statement_month) ELSE valid_to - valid_from END
    FROM engineering_time CROSS JOIN month
    WHERE valid_from <= last_day AND valid_to > statement_month
    UNION ALL
    SELECT 'internal_hardware', concat_ws(' ', cluster, nullif(node_type, '')), valid_from, owner, currency, NULL, NULL, NULL, rate_no,
           amount_per_node_hour, node_seconds, 3600
    FROM node_rate_of_month
    LEFT JOIN (SELECT rate_no, sum(node_seconds) AS node_seconds FROM rated_time GROUP BY rate_no) AS rated USING (rate_no)
)
-- If a name has several rows in the month, one after the other, each is a transfer of its own. The
-- names of the later ones end with their first day.
SELECT row_number() OVER (ORDER BY component COLLATE "C", name COLLATE "C", valid_from) AS request_id, component,
       name || CASE WHEN row_number() OVER (PARTITION BY component, name ORDER BY valid_from) > 1
                    THEN ' from ' || valid_from ELSE '' END AS name,
       valid_from, carrier, currency, cost_centre, family, cluster, rate_no, exchange_rate, rate_date, is_frozen, is_to_come,
       round(price * in_month * 1.000000000000000000000000 / per, 12) * exchange_rate AS amount
FROM priced CROSS JOIN month
LEFT JOIN LATERAL pg_temp.rate_of(currency, last_day) ON currency <> statement_currency
CROSS JOIN LATERAL (SELECT CASE WHEN currency = statement_currency THEN 1 ELSE rate END) AS converted (exchange_rate);

-- What each attempt pays of each transfer. Which transfers apply is looked up once for each
-- cluster, cost centre and family, not for each attempt.
CREATE TEMP TABLE transfer_part ON COMMIT DROP AS
WITH place AS (
    SELECT DISTINCT cluster, coalesce(cost_centre, '') AS cost_centre, coalesce(family, '') AS family FROM attempt_month
), borne AS MATERIALIZED (
    SELECT request_id, component, place.cluster, place.cost_centre, place.family
    FROM transfer
    JOIN place ON (transfer.cluster IS NULL OR transfer.cluster = place.cluster)
              AND (transfer.cost_centre IS NULL OR transfer.cost_centre = place.cost_centre)
              AND (transfer.family IS NULL OR transfer.family = place.family)
    WHERE rate_no IS NULL
), weighed AS (
    SELECT request_id, attempt_id, CASE component WHEN 'internal_overhead' THEN wall_seconds ELSE node_seconds END AS weight
    FROM borne
    JOIN attempt_month ON attempt_month.cluster = borne.cluster AND coalesce(attempt_month.cost_centre, '') = borne.cost_centre
                      AND coalesce(attempt_month.family, '') = borne.family
    UNION ALL
    SELECT request_id, attempt_id, node_seconds
    FROM transfer
    JOIN rated_time USING (rate_no)
    WHERE attempt_id IN (SELECT attempt_id FROM attempt_month)
)
SELECT request_id, split.attempt_id, split.amount
FROM transfer
JOIN (SELECT request_id, array_agg(attempt_id ORDER BY attempt_id) AS attempts, array_agg(weight ORDER BY attempt_id) AS weights
      FROM weighed
      WHERE weight > 0
      GROUP BY request_id) AS asked USING (request_id)
CROSS JOIN LATERAL unnest(attempts, split_parts(transfer.amount, weights)) AS split (attempt_id, amount);

ANALYZE transfer_part;

-- A transfer that nobody pays needs no exchange rate.
SELECT pg_temp.refuse_without_rate(currency, last_day, 'internal charge: ' || name)
FROM (SELECT name, currency
      FROM transfer
      WHERE exchange_rate IS NULL AND request_id IN (SELECT request_id FROM transfer_part)
      ORDER BY name LIMIT 1) AS missing
CROSS JOIN month;
