-- Sheet "By team" of the review: what the jobs of each cost centre cost, and the excess of its
-- flagged jobs. A heterogeneous job counts where its first component does.
WITH judged AS (
    SELECT cost_centre, count(*) FILTER (WHERE is_one) AS jobs,
           count(*) FILTER (WHERE is_one AND verdict = 'above K*')                 AS above,
           count(*) FILTER (WHERE is_one AND verdict = 'below K*')                 AS below,
           count(*) FILTER (WHERE is_one AND is_flag(verdict) AND waiver IS NOT NULL) AS waived,
           count(*) FILTER (WHERE is_one AND verdict IN ('not measured', 'extrapolated')
                              -- otherwise the job did not run in this month
                              AND (wall_hours > 0 OR price_per_node_hour IS NOT NULL)) AS not_judged,
           coalesce(sum(cost_minor), 0)::bigint                                AS cost_minor,
           coalesce(sum(excess_minor) FILTER (WHERE is_flag(verdict)), 0)::bigint         AS excess_minor,
           coalesce(sum(cash_saving_minor) FILTER (WHERE is_flag(verdict)), 0)::bigint    AS cash_saving_minor,
           coalesce(sum(freed_capacity_minor) FILTER (WHERE is_flag(verdict)), 0)::bigint AS freed_capacity_minor,
           coalesce(sum(cash_saving_minor) FILTER (WHERE is_flag(verdict) AND can_be_resized AND NOT low_confidence), 0)::bigint AS sure_cash_minor,
           coalesce(sum(cash_saving_minor) FILTER (WHERE is_flag(verdict) AND can_be_resized AND low_confidence), 0)::bigint     AS unsure_cash_minor,
           coalesce(sum(freed_capacity_minor) FILTER (WHERE is_flag(verdict) AND can_be_resized), 0)::bigint     AS attainable_capacity_minor
    FROM job_result
    CROSS JOIN LATERAL (SELECT coalesce(judged_with, attempt_id) = attempt_id,
                               is_attainable) AS counted (is_one, can_be_resized)
    WHERE statement_month = (SELECT current_setting('kstar.statement_month')::date) AND outcome <> 'not started'
    GROUP BY cost_centre
)
SELECT coalesce(judged.cost_centre, '(none)') AS cost_centre, stated_cost_centre_name(current_setting('kstar.statement_month')::date, judged.cost_centre) AS name, jobs, above, below, waived, not_judged, cost_minor, excess_minor,
       cash_saving_minor, freed_capacity_minor, sure_cash_minor, unsure_cash_minor, attainable_capacity_minor,
       excess_minor::double precision / nullif(cost_minor, 0) AS excess_share
FROM judged
ORDER BY excess_minor DESC, judged.cost_centre COLLATE "C";
