-- The findings in words, most expensive first: one decision each.
INSERT INTO finding (statement_month, rank, kind, minor_units, finding)
WITH said AS (
    SELECT statement_row.*, statement_currency AS currency, minor_unit_digits AS digits
    FROM statement_row JOIN month USING (statement_month)
), candidate (kind, minor_units, finding) AS (
    SELECT 'above K*', excess_minor,
           format('job %s (%s) ran on %s %s where %s would have been cheapest: %s cost %s %s%s, at K* %s would have cost %s%s; %s of the difference is cash%s%s%s',
                  CASE WHEN judged_with IS NULL THEN job.job_id ELSE heterogeneous_job_id END, coalesce(job.job_name, 'no name'), k,
                  CASE unit WHEN 'accelerators' THEN 'accelerators' ELSE 'nodes' END, k_star,
                  CASE WHEN is_part THEN 'in this month it' ELSE 'it' END, statement_currency, money_text(cost_minor, minor_unit_digits),
                  CASE WHEN flagged_job.provisional THEN ' so far' WHEN outcome = 'failed' THEN ' until it failed'
                       WHEN outcome = 'cancelled' THEN ' until it was cancelled' ELSE '' END,
                  CASE WHEN outcome = 'productive' AND NOT flagged_job.provisional THEN 'it' ELSE 'the same work' END,
                  money_text(cost_at_k_star_minor, minor_unit_digits),
                  CASE WHEN is_part THEN '' ELSE ' and taken ' || longer END,
                  money_text(cash_saving_minor, minor_unit_digits),
                  CASE WHEN freed_capacity_minor > 0
                       THEN format(', %s freed capacity', money_text(freed_capacity_minor, minor_unit_digits)) ELSE '' END,
                  CASE WHEN is_part THEN '; the whole job would have taken ' || longer END, ' (waived: ' || waiver || ')')
    FROM flagged_job
    CROSS JOIN LATERAL (SELECT CASE WHEN job_hours_at_k_star > job_hours
                                    THEN to_char(job_hours_at_k_star - job_hours, 'FM999990.0') || ' h longer' END) AS than_it_did (longer)
    JOIN month USING (statement_month)
    JOIN job USING (attempt_id)
    LEFT JOIN (SELECT family, unit FROM family_of_month) AS declared USING (family)
    UNION ALL
    SELECT 'idle', sum(minor_units),
           format('idle nodes cost %s %s (pool %s)', min(currency), money_text(sum(minor_units), min(digits)), pool)
    FROM said WHERE component = 'idle'
    GROUP BY pool
    UNION ALL
    SELECT 'unused commitments', sum(minor_units),
           format('commitments that nobody used cost %s %s', min(currency), money_text(sum(minor_units), min(digits)))
    FROM said WHERE component = 'unused_commitments'
    UNION ALL
    SELECT 'failed runs', sum(minor_units),
           format('%s of cost centre %s cost %s %s',
                  CASE count(DISTINCT attempt_id) WHEN 1 THEN 'a failed attempt'
                       ELSE count(DISTINCT attempt_id) || ' failed attempts' END,
                  cost_centre, min(currency), money_text(sum(minor_units), min(digits)))
    FROM said WHERE component = 'failed_runs' AND cost_centre IS NOT NULL
    GROUP BY cost_centre
    UNION ALL
    SELECT 'unallocated', sum(minor_units),
           format('%s %s reach nobody: %s', min(currency), money_text(sum(minor_units), min(digits)), reason)
    FROM said WHERE line_type = 'unallocated' AND block = 'invoice'
    GROUP BY reason
)
SELECT statement_month, row_number() OVER (ORDER BY minor_units DESC, finding COLLATE "C"), kind, minor_units, finding
FROM candidate CROSS JOIN month
WHERE minor_units > 0
ORDER BY minor_units DESC, finding COLLATE "C"
LIMIT 50;
