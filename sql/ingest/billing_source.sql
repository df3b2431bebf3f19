-- What is known of the bills of source $1: the format, time zone and currency that sources.csv
-- declares, and the format that was detected. A format is null if there is none.
SELECT configured.format, coalesce(configured.time_zone, 'UTC') AS time_zone, configured.billing_currency,
       (SELECT format FROM detected_format WHERE source = $1 AND kind = 'billing') AS detected
FROM (SELECT) AS always
LEFT JOIN source_configuration AS configured ON source = $1 AND kind = 'billing';
