-- Sheet "Flagged jobs" of the review: the sum of flags below the setting review_smallest_flag.
SELECT count(*) || CASE count(*) WHEN 1 THEN ' smaller flag' ELSE ' smaller flags' END AS job_name,
       sum(excess_minor)::bigint AS excess_minor, sum(cost_minor)::bigint AS cost_minor, sum(cost_at_k_star_minor)::bigint AS cost_at_k_star_minor,
       sum(cash_saving_minor)::bigint AS cash_saving_minor, sum(freed_capacity_minor)::bigint AS freed_capacity_minor,
       sum(others_overhead_minor)::bigint AS others_overhead_minor,
       'Each costs less than the setting review_smallest_flag says; the sheet Jobs of the chargeback has each' AS verdict_in_words
FROM report_flag
WHERE coalesce(excess_minor, 0) < (SELECT pg_temp.smallest_flag())
HAVING count(*) > 0;
