-- The days on which a rule changes. The lines of a class lie between two of them.
DECLARE catalogue NO SCROLL CURSOR FOR
SELECT day FROM rule_change CROSS JOIN unnest(days) AS day ORDER BY day
