-- The limits of a delivery (settings.csv, the row with the latest valid_from). 0 means kstar's own
-- limit.
SELECT coalesce(max(value) FILTER (WHERE parameter = 'limit_field_bytes'), '0'),
       coalesce(max(value) FILTER (WHERE parameter = 'limit_record_bytes'), '0'),
       coalesce(max(value) FILTER (WHERE parameter = 'limit_columns'), '0'),
       coalesce(max(value) FILTER (WHERE parameter = 'limit_rows'), '0'),
       coalesce(max(value) FILTER (WHERE parameter = 'limit_uncompressed_bytes'), '0'),
       coalesce(max(value) FILTER (WHERE parameter = 'limit_compression_ratio'), '0')
FROM (SELECT DISTINCT ON (parameter) parameter, value
      FROM setting
      WHERE parameter LIKE 'limit\_%'
      ORDER BY parameter, valid_from DESC) AS latest;
