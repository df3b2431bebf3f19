-- As measurements.sql, for a reader: of the families in families_seen.sql.
SELECT family, scaling, metric, accelerator, precision_name, batch, k, value
FROM (SELECT DISTINCT family, scaling, metric, accelerator, precision_name, batch, k, value, measured_at
      FROM kstar_views.report_measurement
      WHERE metric <> 'compute_share'
        AND statement_month > (SELECT max(statement_month) - interval '12 months' FROM kstar_views.report_month)) AS run
ORDER BY family COLLATE "C", scaling, metric, accelerator COLLATE "C", precision_name COLLATE "C", batch COLLATE "C",
         k, value;
