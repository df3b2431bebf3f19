-- Sheet "Flagged jobs": jobs above and below K*, by excess, each in a sentence (flag_text), for
-- managers to decide on. Jobs may lie on several servers that do not know report_flag, so their
-- names are fetched first. OFFSET 0: each sentence is made once, not once for each use.
WITH flag AS MATERIALIZED (
    SELECT report_flag.* FROM report_flag JOIN report_listed_flag USING (attempt_id)
), named AS MATERIALIZED (
    SELECT attempt_id, CASE WHEN judged_with IS NULL THEN job_id ELSE heterogeneous_job_id END AS job_id, job_name, user_name
    FROM job
    JOIN (SELECT attempt_id, judged_with FROM flag) AS judged USING (attempt_id)
)
SELECT row_number() OVER (ORDER BY excess_minor DESC NULLS LAST, flag.attempt_id) AS rank,
       flag.cost_centre, named.job_id, named.job_name, named.user_name,
       flag.family, flag.verdict, flag.k, flag.k_star, flag.k_least_money, flag.k_with_waiting, flag.waiting_per_hour, flag.k_star_interval,
       flag.efficiency, price_per_node_hour, overhead_per_node_hour, fixed_per_wall_hour, flag.cost_minor, flag.cost_at_k_star_minor, flag.excess_minor,
       money_text(flag.excess_low_minor, minor_unit_digits) || ' to ' || money_text(flag.excess_high_minor, minor_unit_digits) AS excess_interval,
       flag.cash_saving_minor, flag.freed_capacity_minor, flag.others_overhead_minor, flag.is_attainable,
       flag.break_even_minor::numeric * ('1e-' || minor_unit_digits)::numeric AS break_even,
       flag.job_hours, flag.job_hours_at_k_star, flag.deadline_hours, flag.deadline_k, flag.waiver, flag.low_confidence,
       upper(left(words, 1)) || substr(words, 2) AS verdict_in_words, flag.verdict_reason, flag.next_measurement,
       decision.resize_to, decision.accept_until, decision.reason, decision.decided_by,
       -- the second word is a check: it shows whether somebody changed the key or moved it to
       -- another job (ingest/reference/review_decisions.c)
       flag.attempt_id || ' ' || left(encode(sha256(convert_to(flag.attempt_id || ' ' || named.job_id, 'UTF8')), 'hex'), 8) AS decision_key
FROM flag
JOIN statement USING (statement_month)
LEFT JOIN stated_family_of_month AS family ON family.statement_month = flag.statement_month AND family.family = flag.family
CROSS JOIN LATERAL (SELECT * FROM flag_text(ROW(flag.*)::flagged_job, coalesce(family.unit, 'nodes'), statement_currency, minor_unit_digits) OFFSET 0)
           AS sentence (words)
JOIN named ON named.attempt_id = flag.attempt_id
-- the prices that K* was found with
JOIN (SELECT statement_month, attempt_id, price_per_node_hour, overhead_per_node_hour, fixed_per_wall_hour FROM job_result) AS priced
     ON priced.statement_month = flag.statement_month AND priced.attempt_id = flag.attempt_id
LEFT JOIN (SELECT DISTINCT ON (attempt_id, review_month) attempt_id, review_month, resize_to, accept_until, reason, decided_by
           FROM review_decision
           ORDER BY attempt_id, review_month, declared_in COLLATE "C") AS decision
       ON decision.attempt_id = flag.attempt_id AND review_month = flag.statement_month
ORDER BY rank;
