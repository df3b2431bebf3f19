-- Deliveries that wait for somebody to accept them.
SELECT source AS "source", label AS "delivery", to_char(billing_period, 'YYYY-MM') AS "billing_period", reason AS "held_because"
FROM held_delivery
ORDER BY source COLLATE "C", label COLLATE "C";
