-- All that is held.
SELECT source, label FROM held_delivery ORDER BY source, label;
