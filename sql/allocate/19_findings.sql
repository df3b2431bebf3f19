-- The findings in words, most expensive first: one decision each.
INSERT INTO finding (statement_month, rank, kind, minor_units, finding)
WITH money AS (
    SELECT statement_month, ('1e-' || minor_unit_digits)::numeric AS minor_unit, statement_currency AS currency,
           minor_unit_digits AS digits
    FROM month
), candidate AS (
    SELECT 'above K*' AS kind, excess_minor AS minor_units,
           format('job %s (%s) ran on %s where %s is cheapest: it cost %s %s and would have cost %s at K* = %s%s; %s of the excess is cash%s',
                  job.job_id, coalesce(job.job_name, 'no name'),
                  job_result.k || CASE family_unit.unit WHEN 'accelerators' THEN ' accelerators' ELSE ' nodes' END, k_star,
                  currency, to_char(cost_minor * minor_unit, 'FM999G999G999G990D00'),
                  to_char(cost_at_k_star_minor * minor_unit, 'FM999G999G999G990D00'), k_star,
                  CASE WHEN job_hours_at_k_star > job_hours
                       THEN format(', finishing %s h later', to_char(job_hours_at_k_star - job_hours, 'FM999990.0')) ELSE '' END,
                  to_char(cash_saving_minor * minor_unit, 'FM999G999G999G990D00'),
                  CASE WHEN waiver IS NOT NULL THEN ' (waived: ' || waiver || ')' ELSE '' END) AS finding
    FROM job_result
    JOIN month USING (statement_month)
    JOIN money USING (statement_month)
    JOIN job USING (attempt_id)
    LEFT JOIN (SELECT DISTINCT ON (family) family, unit FROM kstar.family ORDER BY family, valid_from DESC)
              AS family_unit (family, unit) ON family_unit.family = job_result.family
    WHERE verdict = 'above K*' AND excess_minor > 0
    UNION ALL
    SELECT 'idle', sum(minor_units)::bigint,
           format('idle nodes cost %s %s; pool %s', min(currency), to_char(sum(minor_units) * min(minor_unit), 'FM999G999G999G990D00'), statement_row.pool)
    FROM statement_row JOIN month USING (statement_month) JOIN money USING (statement_month)
    WHERE component = 'idle'
    GROUP BY statement_row.pool
    UNION ALL
    SELECT 'unused commitments', sum(minor_units)::bigint,
           format('commitments that nobody used cost %s %s', min(currency), to_char(sum(minor_units) * min(minor_unit), 'FM999G999G999G990D00'))
    FROM statement_row JOIN month USING (statement_month) JOIN money USING (statement_month)
    WHERE component = 'unused_commitments'
    HAVING sum(minor_units) > 0
    UNION ALL
    SELECT 'failed runs', sum(failed_runs_minor)::bigint,
           format('%s failed attempts of cost centre %s cost %s %s', count(*) FILTER (WHERE failed_runs_minor > 0),
                  coalesce(cost_centre, '(none)'), min(currency), to_char(sum(failed_runs_minor) * min(minor_unit), 'FM999G999G999G990D00'))
    FROM job_result JOIN month USING (statement_month) JOIN money USING (statement_month)
    GROUP BY cost_centre
    HAVING sum(failed_runs_minor) > 0
    UNION ALL
    SELECT 'unallocated', sum(minor_units)::bigint,
           format('%s %s reach nobody: %s', min(currency), to_char(sum(minor_units) * min(minor_unit), 'FM999G999G999G990D00'), reason)
    FROM statement_row JOIN month USING (statement_month) JOIN money USING (statement_month)
    WHERE line_type = 'unallocated'
    GROUP BY reason
)
SELECT statement_month, row_number() OVER (ORDER BY minor_units DESC, finding COLLATE "C"), kind, minor_units, finding
FROM candidate CROSS JOIN month
WHERE minor_units > 0
ORDER BY minor_units DESC, finding COLLATE "C"
LIMIT 50;
