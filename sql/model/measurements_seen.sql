-- As measurements.sql, for a reader: of the families in families_seen.sql. Measurements in
-- production are not shown, because their jobs may be another team's.
SELECT family, scaling, metric, accelerator, precision_name, batch, model, sequence_length, software, '' AS origin, k, value
FROM (SELECT DISTINCT family, scaling, metric, accelerator, precision_name, batch, model, sequence_length, software, k, value, measured_at
      FROM kstar_views.report_measurement
      WHERE metric <> 'compute_share'
        AND statement_month > (SELECT max(statement_month) - interval '12 months' FROM kstar_views.report_month)) AS run
ORDER BY family COLLATE "C", scaling, metric, accelerator COLLATE "C", precision_name COLLATE "C", batch COLLATE "C",
         model COLLATE "C", sequence_length COLLATE "C", software COLLATE "C", k, value;
