-- A heterogeneous job is judged once, by its own p, f and hours (docs/mathematics.md, section 7).
-- Each component gets these figures and the verdict, and keeps its own part of the money.
-- judged_with is the first component on the statement.
WITH placed AS (
    SELECT job_cost.*, whole,
           first_value(attempt_id) OVER in_order AS first_component,
           sum(hardware + fixed) OVER (in_order ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING) AS spent_by_others,
           row_number() OVER in_order AS turn
    FROM job_cost
    JOIN job_component USING (attempt_id)
    WINDOW in_order AS (PARTITION BY whole ORDER BY heterogeneous_offset, attempt_id)
), summed AS (
    SELECT whole, sum(charged_hardware) AS charged_hardware, sum(committed_hardware) AS committed_hardware,
           CASE WHEN 2 * sum(spot_hardware) > sum(hardware) THEN 'spot' ELSE 'on demand' END AS capacity,
           sum(priced_hardware) * 3600 / sum(priced_seconds) AS price_per_node_hour,
           sum(whole_nodes) / nullif(sum(node_count), 0) AS node_share,
           coalesce(sum(fixed_by_node_hours) / nullif(sum(node_hours), 0), 0) AS overhead_per_node_hour,
           coalesce(sum(fixed_by_wall_hours) / nullif(sum(wall_hours), 0), 0) AS fixed_per_wall_hour,
           coalesce(sum(fixed_by_node_hours - ending_by_node_hours) / nullif(sum(node_hours), 0), 0) AS shared_per_node_hour,
           coalesce(sum(fixed_by_wall_hours - ending_by_wall_hours) / nullif(sum(wall_hours), 0), 0) AS shared_per_wall_hour,
           bool_and(has_finished) AS has_finished,
           min(deadline_hours) AS deadline_hours,
           (array_agg(waiver ORDER BY turn) FILTER (WHERE waiver IS NOT NULL))[1] AS waiver
    FROM placed
    GROUP BY whole
), ran AS (
    -- All components, on this statement or not: together they have the job's K.
    SELECT whole, seconds_between(min(start_time), max(end_time)) / 3600 AS job_hours, max(suspended_seconds) / 3600 AS suspended_hours,
           sum(node_count)::numeric / nullif(max(k), 0) AS nodes_of_k
    FROM job_component
    JOIN attempt USING (attempt_id)
    GROUP BY whole
)
UPDATE job_cost
SET job_hours = ran.job_hours, suspended_hours = ran.suspended_hours, charged_hardware = summed.charged_hardware, committed_hardware = summed.committed_hardware,
    capacity = summed.capacity, spent_before = coalesce(spent_by_others, 0), price_per_node_hour = summed.price_per_node_hour,
    nodes_per_k = node_share * nodes_of_k, price_per_k_hour = summed.price_per_node_hour * node_share * nodes_of_k,
    overhead_per_node_hour = summed.overhead_per_node_hour, overhead_per_k_hour = summed.overhead_per_node_hour * node_share * nodes_of_k,
    fixed_per_wall_hour = summed.fixed_per_wall_hour, shared_per_k_hour = summed.shared_per_node_hour * node_share * nodes_of_k,
    shared_per_wall_hour = summed.shared_per_wall_hour,
    has_finished = summed.has_finished, deadline_hours = summed.deadline_hours, waiver = summed.waiver, judged_with = first_component
FROM placed
JOIN summed USING (whole)
JOIN ran USING (whole)
WHERE placed.attempt_id = job_cost.attempt_id;
