-- What is known of the bills of source $1: the format that sources.csv declares, or else the one
-- that was detected, each null where there is none; time zone and currency of sources.csv.
SELECT configured.format, coalesce(configured.time_zone, 'UTC') AS time_zone, configured.billing_currency,
       (SELECT format FROM detected_format WHERE source = $1 AND kind = 'billing') AS detected
FROM (SELECT) AS always
LEFT JOIN source_configuration AS configured ON source = $1 AND kind = 'billing';
