-- Held deliveries: they wait for a person's answer.
SELECT source AS "source", label AS "delivery", (SELECT string_agg(to_char(period, 'YYYY-MM'), ' ' ORDER BY period) FROM unnest(billing_periods) AS period) AS "billing_period", reason AS "held_because", answers AS "answers"
FROM held_delivery
ORDER BY source COLLATE "C", label COLLATE "C";
