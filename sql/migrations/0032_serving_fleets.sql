-- Serving fleets (docs/unit-costs.md): what a million output tokens cost by the number of replicas, as measured. They move no money.

-- serving_fleets.csv. Amounts are in statement currency. The price of a replica is declared, or that of the bill's lines that match.
CREATE TABLE serving_fleet (
    fleet                  text NOT NULL,
    cost_centre            text NOT NULL,
    price_per_replica_hour numeric CHECK (price_per_replica_hour >= 0),
    match                  text,
    pattern                text,
    nodes_per_replica      numeric NOT NULL DEFAULT 1 CHECK (nodes_per_replica > 0), -- of the matching lines' nodes
    fixed_per_hour         numeric NOT NULL DEFAULT 0 CHECK (fixed_per_hour >= 0),   -- whatever the number of replicas
    latency_percentile     numeric NOT NULL DEFAULT 95 CHECK (latency_percentile > 0 AND latency_percentile <= 100),
    latency_limit_ms       numeric CHECK (latency_limit_ms > 0),                     -- null: none
    valid_from             date NOT NULL DEFAULT '-infinity',
    valid_to               date NOT NULL DEFAULT 'infinity',
    PRIMARY KEY (fleet, valid_from),
    CHECK (num_nonnulls(price_per_replica_hour, match) = 1 AND num_nonnulls(match, pattern) <> 1)
);

-- serving_measurements.csv: what a fleet of so many replicas was measured to serve.
CREATE TABLE serving_measurement (
    fleet              text NOT NULL,
    replicas           integer NOT NULL CHECK (replicas > 0),
    latency_percentile numeric NOT NULL DEFAULT 95 CHECK (latency_percentile > 0 AND latency_percentile <= 100),
    latency_ms         numeric NOT NULL CHECK (latency_ms >= 0),
    tokens_per_second  numeric NOT NULL CHECK (tokens_per_second > 0), -- output tokens, of all replicas together
    valid_from         date NOT NULL DEFAULT '-infinity',
    valid_to           date NOT NULL DEFAULT 'infinity',
    PRIMARY KEY (fleet, replicas, latency_percentile, valid_from)
);

-- Choices like any other: frozen with their statement.
DO $$
BEGIN
    EXECUTE format('CREATE OR REPLACE FUNCTION choice_tables() RETURNS text[] LANGUAGE sql IMMUTABLE RETURN %L::text[]',
                   choice_tables() || ARRAY['serving_fleet', 'serving_measurement']);
END
$$;

-- Published with the statement: each fleet in force on the month's last day, and what was chosen among its measured counts.
CREATE TABLE serving_cost (
    statement_month        date NOT NULL,
    fleet                  text NOT NULL,
    cost_centre            text NOT NULL,
    price_per_replica_hour numeric,          -- null: its nodes are not on the month's bill
    price_from             text NOT NULL,    -- 'declared', or how the bill's was found
    fixed_per_hour         numeric NOT NULL,
    latency_percentile     numeric NOT NULL,
    latency_limit_ms       numeric,
    outcome                text NOT NULL,    -- of the choice (model/cost/serving_fleet.h)
    cheapest               integer,          -- replicas: of those within the limit
    highest_throughput     integer,          -- of all
    quickest               integer,          -- of all: the lowest latency
    PRIMARY KEY (statement_month, fleet)
);

-- Its measured replica counts, at its percentile of latency.
CREATE TABLE serving_size (
    statement_month   date NOT NULL,
    fleet             text NOT NULL,
    replicas          integer NOT NULL,
    tokens_per_second numeric NOT NULL,
    latency_ms        numeric NOT NULL,
    PRIMARY KEY (statement_month, fleet, replicas)
);

-- What an hour and a million output tokens cost on each measured count: exact, and rounded once, half up, to 6 places.
CREATE VIEW serving_priced AS
SELECT statement_month, fleet, cost_centre, replicas, tokens_per_second, latency_ms, latency_ms <= latency_limit_ms AS is_within,
       price_per_replica_hour * replicas + fixed_per_hour AS hour_cost,
       round((price_per_replica_hour * replicas + fixed_per_hour) * 1000000 / (3600 * tokens_per_second), 6) AS million_tokens
FROM serving_size
JOIN serving_cost USING (statement_month, fleet);

-- Each fleet's cheapest count beside the one with the highest throughput, and what is to be said of it.
CREATE VIEW serving_comparison AS
WITH measured AS (
    SELECT statement_month, fleet, string_agg(replicas::text, ', ' ORDER BY replicas) AS counts
    FROM serving_size
    GROUP BY statement_month, fleet
), low AS (
    SELECT statement_month, fleet, replicas AS cheapest, million_tokens AS cheapest_million, latency_ms AS cheapest_latency_ms
    FROM serving_priced
), high AS (
    SELECT statement_month, fleet, replicas AS highest_throughput, million_tokens AS highest_million, latency_ms AS highest_latency_ms,
           is_within AS highest_is_within
    FROM serving_priced
), quick AS (
    SELECT statement_month, fleet, replicas AS quickest, latency_ms AS quickest_latency_ms
    FROM serving_priced
), compared AS (
    SELECT *, round(highest_million / nullif(cheapest_million, 0) - 1, 12) AS highest_dearer, 'p' || latency_percentile AS percentile
    FROM serving_cost
    LEFT JOIN measured USING (statement_month, fleet)
    LEFT JOIN low USING (statement_month, fleet, cheapest)
    LEFT JOIN high USING (statement_month, fleet, highest_throughput)
    LEFT JOIN quick USING (statement_month, fleet, quickest)
), beside AS (
    SELECT *, CASE WHEN cheapest = highest_throughput THEN 'it has the highest throughput as well'
                   ELSE format('%s, with the highest throughput, cost %s', highest_throughput, round(highest_million, 4))
                        || CASE WHEN highest_dearer IS NULL THEN ''
                                ELSE format(' (%s %% %s)', round(abs(highest_dearer) * 100, 1),
                                            CASE WHEN highest_dearer < 0 THEN 'less' ELSE 'more' END) END
                        || CASE WHEN highest_is_within OR latency_limit_ms IS NULL THEN ''
                                ELSE format(' at %s ms, past the limit', highest_latency_ms) END END AS words
    FROM compared
)
SELECT statement_month, fleet, cost_centre, price_per_replica_hour, price_from, fixed_per_hour, latency_percentile, latency_limit_ms,
       statement_currency, outcome, cheapest, cheapest_million, cheapest_latency_ms, highest_throughput,
       highest_million, highest_latency_ms, highest_dearer,
       CASE outcome
           WHEN 'not measured' THEN
               format('%s: no replica count is measured at %s in this month (serving_measurements.csv)', fleet, percentile)
           WHEN 'no price' THEN format('%s: nothing says what a replica costs: %s', fleet, price_from)
           WHEN 'limit not met' THEN
               format('%s: no measured replica count (%s) is within %s ms at %s; the quickest, %s, takes %s ms', fleet, counts,
                      latency_limit_ms, percentile, quickest, quickest_latency_ms)
           WHEN 'found' THEN
               format('%s: a million output tokens cost %s %s on %s, the cheapest %s; %s. Only measured counts are compared: %s', fleet,
                      round(cheapest_million, 4), statement_currency,
                      cheapest || CASE cheapest WHEN 1 THEN ' replica' ELSE ' replicas' END,
                      CASE WHEN latency_limit_ms IS NULL THEN 'without a latency limit'
                           ELSE format('within %s ms at %s', latency_limit_ms, percentile) END, words, counts)
           ELSE format('%s: %s', fleet, outcome) END AS sentence
FROM beside
JOIN statement USING (statement_month);
