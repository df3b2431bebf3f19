-- The findings in words, most expensive first; each asks for one decision. Unallocated cost is only
-- in findings of that kind, so that no amount is in two findings.
INSERT INTO finding (statement_month, rank, kind, minor_units, finding)
WITH month_sum AS (
    SELECT statement_sum.*, statement_currency AS currency, minor_unit_digits AS digits
    FROM statement_sum JOIN month USING (statement_month)
), dearest AS ( -- sentences take time: only flags that can be among the findings get one
    SELECT (flag).*, words, statement_currency AS currency, minor_unit_digits AS digits
    FROM (SELECT flagged_job AS flag
          FROM flagged_job
          -- Month and attempts are looked up first. With a join, the view would add up the flags of
          -- all months. Numbers are sorted, not whole rows.
          WHERE statement_month = (SELECT statement_month FROM month)
            AND attempt_id = ANY (ARRAY(SELECT attempt_id
                                        FROM flagged_job
                                        WHERE statement_month = (SELECT statement_month FROM month)
                                        ORDER BY excess_minor DESC
                                        FETCH FIRST 50 ROWS WITH TIES))) AS most
    CROSS JOIN month
    LEFT JOIN (SELECT family, unit FROM family_of_month) AS declared ON family = (flag).family
    CROSS JOIN LATERAL flag_text(flag, CASE unit WHEN 'accelerators' THEN 'accelerators' ELSE 'nodes' END, statement_currency, minor_unit_digits)
               AS words
), candidate (kind, minor_units, flagged, finding) AS (
    SELECT verdict, excess_minor, attempt_id,
           format('job %s (%s): %s; cash saving %s%s%s%s',
                  CASE WHEN judged_with IS NULL THEN job.job_id ELSE heterogeneous_job_id END, coalesce(job.job_name, 'no name'), words,
                  money_text(cash_saving_minor, digits),
                  CASE WHEN freed_capacity_minor <> 0 THEN format(', freed capacity %s', money_text(freed_capacity_minor, digits)) ELSE '' END,
                  CASE WHEN others_overhead_minor <> 0
                       THEN format(', overhead that others would bear %s', money_text(others_overhead_minor, digits)) ELSE '' END,
                  ' (waived: ' || waiver || ')')
    FROM dearest
    JOIN job USING (attempt_id)
    UNION ALL
    SELECT 'idle', sum(minor_units), NULL,
           format('idle nodes cost %s %s (pool %s)', min(currency), money_text(sum(minor_units), min(digits)), pool)
    FROM month_sum WHERE component = 'idle' AND line_type = 'charge'
    GROUP BY pool
    UNION ALL
    SELECT 'unused commitments', sum(minor_units), NULL,
           format('unused commitments cost %s %s', min(currency), money_text(sum(minor_units), min(digits)))
    FROM month_sum WHERE component = 'unused_commitments' AND line_type = 'charge'
    UNION ALL
    SELECT 'failed runs', sum(minor_units), NULL,
           format('%s of cost centre %s cost %s %s', min(attempts), cost_centre, min(currency), money_text(sum(minor_units), min(digits)))
    FROM month_sum
    JOIN (SELECT cost_centre, CASE count(*) WHEN 1 THEN 'a failed attempt' ELSE count(*) || ' failed attempts' END AS attempts
          FROM attempt_row JOIN attempt USING (attempt_id)
          WHERE failed_runs IS NOT NULL
          GROUP BY cost_centre) AS failed USING (cost_centre)
    WHERE component = 'failed_runs'
    GROUP BY cost_centre
    UNION ALL
    SELECT 'unallocated', sum(minor_units), NULL,
           format('%s %s unallocated: %s', min(currency), money_text(sum(minor_units), min(digits)), reason)
    FROM month_sum WHERE line_type = 'unallocated' AND block = 'invoice'
    GROUP BY reason
)
SELECT statement_month, row_number() OVER (ORDER BY minor_units DESC, flagged, finding COLLATE "C"), kind, minor_units, finding
FROM candidate CROSS JOIN month
WHERE minor_units > 0
ORDER BY minor_units DESC, flagged, finding COLLATE "C"
LIMIT 50;
