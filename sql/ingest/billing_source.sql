-- What sources.csv declares about the bills of source $1; no row where it does not.
SELECT format, time_zone, billing_currency
FROM source_configuration
WHERE source = $1 AND kind = 'billing';
