-- Sheet "Failed runs": by family alone.
SELECT dense_rank() OVER (ORDER BY leaf.family COLLATE "C") AS family_no, leaf.family, sum(leaf.failed_minor)::bigint AS failed_minor,
       sum(leaf.productive_minor)::bigint AS productive_minor, sum(leaf.cancelled_minor)::bigint AS cancelled_minor,
       CASE WHEN sum(leaf.productive_minor) > 0
            THEN round(sum(leaf.failed_minor)::numeric / sum(leaf.productive_minor), 6) END AS measured,
       min(alone.failed_attempts) AS failed_attempts, min(alone.productive_attempts) AS productive_attempts,
       min(alone.cancelled_attempts) AS cancelled_attempts, min(alone.factor) AS factor, min(alone.factor_from) AS factor_from
FROM report_failed_factor AS leaf
LEFT JOIN report_failed_factor AS alone ON alone.statement_month = leaf.statement_month AND alone.family = leaf.family
                                       AND alone.cost_centre = '*' AND current_setting('kstar.cost_centre') = ''
WHERE leaf.statement_month = current_setting('kstar.statement_month')::date AND leaf.cost_centre <> '*' AND leaf.family <> '*'
  AND current_setting('kstar.cost_centre') IN ('', leaf.cost_centre)
GROUP BY leaf.family
ORDER BY leaf.family COLLATE "C";
