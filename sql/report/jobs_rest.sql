-- Sheet "Jobs" of everybody's workbook: the sum of the jobs that it does not list, and where they
-- are listed. Jobs that nobody pays have a row of their own, because they are in no cost centre's
-- workbook.
SELECT CASE WHEN NOT is_nobodys THEN '(several)' END AS cost_centre,
       to_char(count(*), 'FM999,999,999,999') || CASE count(*) WHEN 1 THEN ' more job' ELSE ' more jobs' END AS job_id,
       CASE WHEN is_nobodys THEN 'without a cost centre: see kstar_views.report_job'
            ELSE format('each in the workbook of its cost centre: chargeback-%s-<cost centre>.xlsx', to_char(statement_month, 'YYYY-MM')) END AS job_name,
       (sum(node_seconds) / 3600)::double precision AS node_hours,
       (sum(wall_seconds) / 3600)::double precision AS wall_hours, sum(unpriced_node_hours::numeric)::double precision AS unpriced_node_hours,
       (sum(internal_node_seconds) / 3600)::double precision AS internal_node_hours,
       sum(useful_compute_minor)::bigint AS useful_compute_minor, sum(coordination_waste_minor)::bigint AS coordination_waste_minor,
       sum(unmeasured_hardware_minor)::bigint AS unmeasured_hardware_minor, sum(failed_runs_minor)::bigint AS failed_runs_minor,
       sum(cancelled_minor)::bigint AS cancelled_minor, sum(cloud_fees_minor)::bigint AS cloud_fees_minor,
       sum(fixed_overhead_minor)::bigint AS fixed_overhead_minor,
       sum(internal_overhead_minor)::bigint AS internal_overhead_minor,
       sum(engineering_overhead_minor)::bigint AS engineering_overhead_minor, sum(true_cost_minor)::bigint AS true_cost_minor,
       CASE WHEN is_nobodys THEN 0 ELSE sum(true_cost_minor) END::bigint AS charged_minor,
       sum(excess_minor) FILTER (WHERE is_flagged)::bigint AS excess_minor,
       sum(cash_saving_minor) FILTER (WHERE is_flagged)::bigint AS cash_saving_minor,
       sum(freed_capacity_minor) FILTER (WHERE is_flagged)::bigint AS freed_capacity_minor,
       sum(others_overhead_minor) FILTER (WHERE is_flagged)::bigint AS others_overhead_minor,
       sum(cash_saving_minor) FILTER (WHERE is_flagged AND can_be_resized AND NOT low_confidence)::bigint AS sure_cash_minor,
       sum(cash_saving_minor) FILTER (WHERE is_flagged AND can_be_resized AND low_confidence)::bigint AS unsure_cash_minor,
       sum(freed_capacity_minor) FILTER (WHERE is_flagged AND can_be_resized)::bigint AS attainable_capacity_minor,
       sum(unpowered_node_hours) AS unpowered_node_hours, sum(kwh) AS kwh, sum(kg_co2e) AS kg_co2e
FROM job_result
LEFT JOIN (SELECT attempt_id, unpowered_node_hours, kwh, kg_co2e
           FROM job_energy
           WHERE statement_month = (SELECT current_setting('kstar.statement_month')::date)) AS energy USING (attempt_id)
CROSS JOIN LATERAL (SELECT cost_centre IS NULL, is_flag(verdict), is_attainable)
           AS flagged (is_nobodys, is_flagged, can_be_resized)
WHERE statement_month = (SELECT current_setting('kstar.statement_month')::date) AND current_setting('kstar.cost_centre') = ''
  AND attempt_id IN (SELECT attempt_id FROM report_place WHERE NOT is_listed)
GROUP BY statement_month, is_nobodys
ORDER BY is_nobodys;
