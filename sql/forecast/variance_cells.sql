-- Month $2 of the kept forecast $1 by cost centre and family, with the drivers that history has.
WITH money AS (
    SELECT cost_centre, family,
           sum(minor_units) FILTER (WHERE component IN ('useful_compute', 'coordination_waste', 'unmeasured_hardware', 'interruptions')) AS hardware,
           sum(minor_units) FILTER (WHERE component = 'cloud_fees')  AS fees,
           sum(minor_units) FILTER (WHERE component = 'failed_runs') AS failed,
           sum(minor_units) FILTER (WHERE component = 'cancelled')   AS cancelled,
           sum(minor_units)                                          AS all_of_it
    FROM forecast_month
    WHERE forecast_id = $1 AND month = $2::date
    GROUP BY cost_centre, family
)
SELECT cost_centre, family, coalesce(ideal_node_hours, 0), coalesce(node_hours, 0), coalesce(hardware, 0), coalesce(fees, 0),
       coalesce(failed, 0), coalesce(cancelled, 0),
       coalesce(all_of_it, 0) - coalesce(hardware, 0) - coalesce(fees, 0) - coalesce(failed, 0) - coalesce(cancelled, 0) AS rest
FROM money
FULL JOIN (SELECT * FROM forecast_driver WHERE forecast_id = $1 AND month = $2::date) AS driver USING (cost_centre, family)
ORDER BY cost_centre COLLATE "C", family COLLATE "C";
