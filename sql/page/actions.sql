-- The three actions that would save most, and who can take them. Flagged jobs count if they are
-- attainable, with the money that the sheet Jobs shows. Idle and unused capacity is cash only as
-- far as no commitment pays for it.
WITH flag AS (
    -- if the jobs have different K or K*, the dearest is the example
    SELECT cost_centre, family, count(*) AS jobs, sum(excess_minor) AS minor_units, sum(cash_saving_minor) AS cash_minor,
           sum(freed_capacity_minor) AS capacity_minor, (array_agg(k ORDER BY excess_minor DESC, attempt_id))[1] AS k,
           (array_agg(k_star ORDER BY excess_minor DESC, attempt_id))[1] AS k_star,
           CASE WHEN min(k_star) < max(k_star) THEN 'their K*' ELSE min(k_star)::text END AS compared_with,
           min(k) < max(k) OR min(k_star) < max(k_star) AS is_example, bool_or(low_confidence) AS is_unsure
    FROM report_flag
    WHERE is_attainable AND (SELECT current_setting('kstar.cost_centre')) IN ('', cost_centre)
    GROUP BY cost_centre, family
), idle AS (
    SELECT component, coalesce(pool, row_key) AS pool, sum(minor_units) AS minor_units
    FROM statement_sum
    WHERE statement_month = current_setting('kstar.statement_month')::date AND current_setting('kstar.cost_centre') IN ('', cost_centre)
      AND block = 'invoice' AND line_type = 'charge' AND component IN ('idle', 'unused_commitments')
    GROUP BY component, coalesce(pool, row_key)
), failed AS (
    SELECT cost_centre, family, count(DISTINCT coalesce(judged_with, attempt_id)) AS runs, sum(failed_runs_minor) AS minor_units
    FROM scope_result
    WHERE outcome = 'failed' AND cost_centre IS NOT NULL
    GROUP BY cost_centre, family
), owned AS MATERIALIZED ( -- otherwise each share would be worked out at every use
    SELECT idle.*, (SELECT sum(committed_cost * exchange_rate) / nullif(sum(charged_cost * exchange_rate), 0)
                    FROM charge
                    JOIN statement_invoice USING (statement_month, invoice_key)
                    WHERE statement_month = current_setting('kstar.statement_month')::date AND charge.pool = idle.pool) AS committed_share,
           (SELECT owner FROM stated_pool WHERE statement_month = current_setting('kstar.statement_month')::date AND stated_pool.pool = idle.pool
                       AND valid_from < statement_month + interval '1 month' ORDER BY valid_from DESC LIMIT 1) AS owner
    FROM idle
), action (kind, minor_units, title, money, reason, cost_centre, who, family) AS (
    SELECT 'resize', minor_units,
           format('Run %s %son %s %s, not %s', flag.family, CASE WHEN is_example THEN 'at K*, such as ' ELSE '' END, k_star,
                  CASE k_star WHEN 1 THEN rtrim(counted_in, 's') ELSE counted_in END, k),
           concat_ws(', ', 'cash ' || pg_temp.page_money(nullif(cash_minor, 0)), 'freed capacity ' || pg_temp.page_money(nullif(capacity_minor, 0))),
           format('%s of this month cost that much more than on %s.%s', CASE jobs WHEN 1 THEN 'One job' ELSE jobs || ' jobs' END, compared_with,
                  CASE WHEN is_unsure THEN ' Confidence is low: measure before you rely on it.' ELSE '' END),
           cost_centre, coalesce('cost centre ' || cost_centre, 'nobody: its jobs have no cost centre'), flag.family
    FROM flag
    LEFT JOIN stated_family_of_month AS declared
           ON declared.statement_month = current_setting('kstar.statement_month')::date AND declared.family = flag.family
    CROSS JOIN LATERAL (SELECT coalesce(declared.unit, 'nodes')) AS counted (counted_in)
    UNION ALL
    SELECT component, minor_units,
           CASE component WHEN 'idle' THEN format('Give back the idle nodes of %s, or find work for them', pool)
                ELSE format('Use or return the unused commitments (%s)', pool) END,
           CASE coalesce(committed_share, 1) WHEN 0 THEN 'in cash' WHEN 1 THEN 'committed: capacity, no cash'
                ELSE format('cash %s; the rest is committed', pg_temp.page_money(round(minor_units * (1 - committed_share)))) END,
           CASE component WHEN 'idle' THEN 'These nodes were billed and no job held them. What a commitment pays for is saved when it ends.'
                ELSE 'Commitments were billed and no usage took them. They cost the same until they end.' END,
           NULL, CASE WHEN current_setting('kstar.cost_centre') = '' THEN coalesce('cost centre ' || owner || ', the pool''s owner', 'nobody owns the pool')
                      WHEN owner = current_setting('kstar.cost_centre') THEN 'you own the pool' ELSE 'the owner of the pool; this is your part' END, NULL
    FROM owned
    UNION ALL
    SELECT 'failed', minor_units, format('Mend what made %s of %s fail', CASE runs WHEN 1 THEN 'a run' ELSE runs || ' runs' END, coalesce(family, 'jobs without family')),
           'hardware and fees', 'Their hardware and fees gave no result. Checkpoints keep most of the work.', cost_centre, 'cost centre ' || cost_centre, NULL
    FROM failed
)
SELECT kind, title, pg_temp.page_money(minor_units) AS amount, money, reason, who, family
FROM action
WHERE minor_units > 0
ORDER BY action.minor_units DESC, title COLLATE "C", cost_centre COLLATE "C"
LIMIT 3;
