-- Sheet "Flagged jobs" of the review: the sum of the flags that are not listed.
SELECT count(*) || CASE count(*) WHEN 1 THEN ' smaller flag' ELSE ' smaller flags' END AS job_name,
       sum(excess_minor)::bigint AS excess_minor, sum(cost_minor)::bigint AS cost_minor, sum(cost_at_k_star_minor)::bigint AS cost_at_k_star_minor,
       sum(cash_saving_minor)::bigint AS cash_saving_minor, sum(freed_capacity_minor)::bigint AS freed_capacity_minor,
       sum(others_overhead_minor)::bigint AS others_overhead_minor,
       'The settings workbook_jobs and review_smallest_flag say which flags are listed; each stands on the sheet Jobs of its cost centre' AS verdict_in_words
FROM report_flag
WHERE attempt_id NOT IN (SELECT attempt_id FROM report_listed_flag)
HAVING count(*) > 0;
