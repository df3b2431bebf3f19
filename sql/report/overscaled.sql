-- Sheet "Over-scaled jobs": what managers decide on, by excess (design 7). The verdict in words:
-- "64 nodes cost 41,200.00 USD; at 16 it would have cost 16,900.00 USD and finished 9 minutes later"; of what came to no end:
-- "64 nodes cost 41,200.00 USD until the job failed; at 16 the same work would have cost 16,900.00 USD and taken 9 minutes longer"; of a job
-- over a month's end, whose cost here is a part: "In this month 64 nodes cost …; at 16 it would have cost …; the whole job would have finished 9 minutes later".
WITH flagged AS (
    SELECT row_number() OVER (ORDER BY excess_minor DESC NULLS LAST, attempt_id) AS rank, result.*, statement_currency,
           ('1e-' || minor_unit_digits)::numeric AS minor_unit, minor_unit_digits,
           job_hours_at_k_star - job_hours AS later_hours,
           coalesce(family.unit, 'nodes') AS unit
    FROM flagged_job AS result
    JOIN statement USING (statement_month)
    LEFT JOIN stated_family_of_month AS family ON family.statement_month = result.statement_month AND family.family = result.family
    WHERE result.statement_month = current_setting('kstar.statement_month')::date
), worded AS (
    SELECT flagged.*,
           'FM999,999,999,999,999,990' || CASE WHEN minor_unit_digits > 0 THEN '.' || repeat('0', minor_unit_digits) ELSE '' END
               AS pattern,
           CASE WHEN provisional THEN ' so far' WHEN outcome = 'failed' THEN ' until the job failed'
                WHEN outcome = 'cancelled' THEN ' until the job was cancelled' ELSE '' END AS until,
           CASE WHEN has_finished THEN 'it' ELSE 'the same work' END AS what,
           CASE WHEN is_part AND has_finished THEN '; the whole job would have finished ' WHEN is_part THEN '; all of it would have taken '
                WHEN has_finished THEN ' and finished ' ELSE ' and taken ' END AS and_finished,
           CASE
               WHEN later_hours IS NULL             THEN ''
               WHEN abs(later_hours) < 1.0 / 120    THEN CASE WHEN has_finished THEN 'at the same time' ELSE 'as long' END
               WHEN abs(later_hours) < 2            THEN round(abs(later_hours)::numeric * 60) || ' minutes '
               ELSE round(abs(later_hours)::numeric, 1) || ' hours '
           END || CASE
               WHEN later_hours IS NULL OR abs(later_hours) < 1.0 / 120 THEN ''
               WHEN later_hours > 0 THEN CASE WHEN has_finished THEN 'later' ELSE 'longer' END
               ELSE CASE WHEN has_finished THEN 'sooner' ELSE 'less' END
           END AS later
    FROM flagged
    CROSS JOIN LATERAL (SELECT outcome = 'productive' AND NOT provisional) AS came (has_finished)
)
SELECT rank, worded.cost_centre, CASE WHEN judged_with IS NULL THEN job.job_id ELSE heterogeneous_job_id END AS job_id, job.job_name, job.user_name, worded.family,
       k, k_star, k_star_interval, efficiency, cost_minor, cost_at_k_star_minor, excess_minor, cash_saving_minor,
       freed_capacity_minor, job_hours, job_hours_at_k_star, deadline_hours, deadline_k, waiver, low_confidence,
       CASE WHEN is_part THEN 'In this month ' ELSE '' END || k || ' ' || unit || ' cost ' || to_char(cost_minor * minor_unit, pattern) || ' ' || statement_currency || until || '; at '
         || k_star || ' ' || what || ' would have cost ' || to_char(cost_at_k_star_minor * minor_unit, pattern) || ' '
         || statement_currency || CASE WHEN later_hours IS NULL THEN '' ELSE and_finished || later END AS verdict_in_words,
       verdict_reason, next_measurement,
       decision.resize_to, decision.accept_until, decision.reason, decision.decided_by, worded.attempt_id
FROM worded
JOIN job USING (attempt_id)
LEFT JOIN (SELECT DISTINCT ON (attempt_id, review_month) attempt_id, review_month, resize_to, accept_until, reason, decided_by
           FROM review_decision
           ORDER BY attempt_id, review_month, declared_in COLLATE "C") AS decision
       ON decision.attempt_id = worded.attempt_id AND review_month = statement_month
ORDER BY rank;
