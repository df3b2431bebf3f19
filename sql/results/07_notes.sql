-- Notes on the data, with those that block the close. First the nodes with unpriced time.
CREATE TEMP TABLE unpriced_node ON COMMIT DROP AS
SELECT cluster, node, sum(seconds) AS seconds
FROM (SELECT cluster, node, seconds_within(held) * share AS seconds FROM unbilled_time
      UNION ALL
      SELECT cluster, node, -seconds * share FROM rated_hold) AS held_unbilled
GROUP BY cluster, node
HAVING sum(seconds) > 0;

-- Measurements of a job whose id no job record has: a typing error, or its records are still to
-- come. A date says of which month they are, and job records must cover it. Without a date they are
-- of every month, until a closed statement has noted them.
CREATE TEMP TABLE unknown_measurement ON COMMIT DROP AS
SELECT job_id, metric IN ('throughput', 'step_time') AS is_production
FROM measurement
CROSS JOIN month
WHERE job_id IS NOT NULL AND job_id NOT IN (SELECT job_id FROM measured_attempt)
  AND CASE WHEN measured_at IS NOT NULL
           THEN measured_at >= month_start AND measured_at < month_end AND measured_at < (SELECT max(horizon) FROM job_horizon)
           ELSE job_id NOT IN (SELECT subject
                               FROM statement_note JOIN statement USING (statement_month)
                               WHERE kind = 'measurement of an unknown job' AND status = 'Final' AND statement_month < month.statement_month) END;

-- The ids as written, and without what may be a cluster. They are looked up in the jobs of all
-- months: kstar.job, because `job` may have this month's alone.
CREATE TEMP TABLE unknown_id ON COMMIT DROP AS
SELECT DISTINCT id
FROM unknown_measurement
CROSS JOIN LATERAL (VALUES (job_id), (regexp_replace(job_id, '^[^/]*/', ''))) AS part (id);

CREATE TEMP TABLE known_id ON COMMIT DROP AS
SELECT cluster, job_id, job_id_raw, heterogeneous_job_id
FROM kstar.job
WHERE job_id_raw = ANY (ARRAY(SELECT id FROM unknown_id)) OR (job_id <> job_id_raw AND job_id = ANY (ARRAY(SELECT id FROM unknown_id)))
   OR heterogeneous_job_id = ANY (ARRAY(SELECT id FROM unknown_id));

-- An E is under the id as shown. What was measured in production may be under another, too.
DELETE FROM unknown_measurement
USING (SELECT job_id AS name, false AS is_raw FROM known_id
       UNION ALL SELECT heterogeneous_job_id, false FROM known_id
       UNION ALL SELECT cluster || '/' || job_id, false FROM known_id
       UNION ALL SELECT cluster || '/' || heterogeneous_job_id, false FROM known_id
       UNION ALL SELECT job_id_raw, true FROM known_id) AS named
WHERE name = job_id AND (is_production OR NOT is_raw);

INSERT INTO statement_note (statement_month, kind, subject, quantity, unit, note, blocks_close)
SELECT statement_month, 'awaiting job records', coalesce(cluster, '(no cluster)'),
       round(sum(priced_seconds) / 3600, 6), 'node-hours',
       'billed after the last job record of the cluster: ' || coalesce(to_char(max(horizon), 'YYYY-MM-DD HH24:MI'), 'none at all'),
       true
FROM (SELECT resource_key, sum(priced_seconds) AS priced_seconds
      FROM charge
      JOIN month USING (statement_month)
      WHERE reason = 'awaiting job records'
      GROUP BY resource_key) AS waiting
CROSS JOIN month
LEFT JOIN (SELECT node_key AS resource_key, min(first_start) AS billed_from, max(last_end) AS billed_to FROM line_class GROUP BY node_key) AS billed
          USING (resource_key)
-- A machine may have been in several clusters: the one where most of its billed time waits.
LEFT JOIN LATERAL (SELECT cluster, horizon
                   FROM node_resource
                   LEFT JOIN recorded_cluster USING (cluster)
                   WHERE node_resource.resource_key = waiting.resource_key
                   ORDER BY least(valid_to, billed_to) - greatest(valid_from, billed_from, horizon) DESC, valid_from, cluster
                   LIMIT 1) AS inventory ON true
GROUP BY statement_month, cluster
UNION ALL
SELECT statement_month, 'oversubscribed node', node, round(sum(excess_seconds) / 3600, 6), 'node-hours',
       'jobs held more of the node than was billed; their parts were scaled down to it', false
FROM node_excess
CROSS JOIN month
GROUP BY statement_month, node
UNION ALL
SELECT statement_month, 'oversubscribed node', cluster || '/' || node, round(sum(seconds * share_too_much) / 3600, 6), 'node-hours',
       'without a bill, jobs held more of the node than all of it; their parts at an internal rate were scaled down to it', false
FROM rated_hold
CROSS JOIN month
GROUP BY statement_month, cluster, node
HAVING round(sum(seconds * share_too_much) / 3600, 6) > 0
UNION ALL
SELECT statement_month, 'unpriced node-hours', cluster, round(sum(unpriced_node_hours), 6), 'node-hours',
       CASE WHEN is_managed THEN 'held by managed jobs: no bill has hardware of their own resource'
            ELSE 'held by jobs on nodes that no bill names and node_rates.csv does not price' || coalesce(': ' || nodes, '') END, false
FROM job_cost JOIN (SELECT attempt_id, cluster FROM attempt) AS attempt USING (attempt_id)
CROSS JOIN LATERAL (SELECT attempt_id IN (SELECT attempt_id FROM managed_attempt)) AS kind (is_managed)
LEFT JOIN (SELECT cluster,
                  string_agg(node, ', ' ORDER BY turn) FILTER (WHERE turn <= 3)
                      || CASE WHEN count(*) > 3 THEN ' and ' || count(*) - 3 || ' more' ELSE '' END AS nodes
           FROM (SELECT cluster, node, row_number() OVER (PARTITION BY cluster ORDER BY seconds DESC, node COLLATE "C") AS turn
                 FROM unpriced_node) AS longest_first
           GROUP BY cluster) AS named USING (cluster)
CROSS JOIN month
WHERE unpriced_node_hours > 0.01
GROUP BY statement_month, cluster, is_managed, nodes
UNION ALL
SELECT statement_month, 'node-hours at an internal rate', cluster, round(sum(internal_node_hours), 6), 'node-hours',
       'held by jobs on nodes without a bill: charged off it, credited to their owner', false
FROM job_cost JOIN (SELECT attempt_id, cluster FROM attempt) AS attempt USING (attempt_id)
CROSS JOIN month
WHERE internal_node_hours > 0
GROUP BY statement_month, cluster
UNION ALL
SELECT statement_month, 'refunded to a pool', cluster || ' ' || state, round(sum(refunded_seconds) / 3600, 6), 'job-hours',
       'the system ended them: charged to ' || pool || ' by refund_rules.csv, ' || count(*) || CASE WHEN count(*) = 1 THEN ' attempt' ELSE ' attempts' END, false
FROM refund
CROSS JOIN month
WHERE attempt_id IN (SELECT attempt_id FROM charge JOIN month USING (statement_month) WHERE reason LIKE 'refunded: %')
GROUP BY statement_month, cluster, state, pool
UNION ALL
SELECT statement_month, 'refunded by the nodes'' owner', cluster || ' ' || state, round(sum(seconds) / 3600, 6), 'node-hours',
       'the system ended them on nodes without a bill: not charged, and not credited to the nodes'' owner, by refund_rules.csv, '
           || count(*) || CASE WHEN count(*) = 1 THEN ' attempt' ELSE ' attempts' END, false
FROM refund
JOIN (SELECT attempt_id, sum(refunded_node_seconds) AS seconds FROM rated_time GROUP BY attempt_id) AS borne USING (attempt_id)
CROSS JOIN month
WHERE seconds > 0
GROUP BY statement_month, cluster, state
UNION ALL
SELECT statement_month, 'unexplained difference', row_key, sum(amount), statement_currency, reason, true
FROM statement_sum JOIN month USING (statement_month)
WHERE line_type = 'unexplained'
GROUP BY statement_month, row_key, statement_currency, reason
UNION ALL
SELECT statement_month, CASE WHEN invoice_amount IS NULL THEN 'invoice not independently confirmed'
                             WHEN abs(invoice_difference) > invoice_tolerance THEN 'invoice differs from its bill'
                             ELSE 'invoice rounding' END,
       string_agg(DISTINCT source COLLATE "C", ', ' ORDER BY source COLLATE "C") || ' ' || coalesce(invoice_id, '(open)'), invoice_difference, billing_currency,
       CASE WHEN invoice_amount IS NULL THEN 'no amount for it in invoices.csv'
            WHEN abs(invoice_difference) > invoice_tolerance THEN 'beyond FOCUS''s tolerance of ' || trim_scale(invoice_tolerance)
            ELSE 'within FOCUS''s tolerance of ' || trim_scale(invoice_tolerance) END
           || CASE WHEN last_month > statement_month THEN '; its last month is ' || to_char(last_month, 'YYYY-MM') ELSE '' END,
       invoice_amount IS NOT NULL AND abs(invoice_difference) > invoice_tolerance AND coalesce(last_month < statement_month, true)
FROM statement_invoice JOIN month USING (statement_month)
LEFT JOIN billed_elsewhere USING (invoice_issuer_name, invoice_id, billing_currency)
WHERE invoice_difference IS DISTINCT FROM 0
GROUP BY statement_month, invoice_issuer_name, invoice_id, billing_currency, invoice_amount, invoice_difference, invoice_tolerance, last_month,
         CASE WHEN invoice_amount IS NULL THEN invoice_key END -- with an amount, several sources are one note
UNION ALL
SELECT statement_month, 'exchange rate to come', currency, exchange_rate, statement_currency || ' per ' || currency,
       'rate of ' || rate_date || ' until that of ' || wanted_date || ' is known', true
FROM (SELECT billing_currency AS currency, exchange_rate, rate_date, wanted_date
      FROM invoice_rate
      WHERE is_to_come
      UNION
      SELECT currency, exchange_rate, rate_date, last_day
      FROM transfer CROSS JOIN month
      WHERE is_to_come AND request_id IN (SELECT request_id FROM transfer_part)
      UNION
      SELECT own_currency, exchange_rate, rate_date, last_day
      FROM carried_month CROSS JOIN month
      WHERE is_to_come AND adjusted_month IN (SELECT adjusted_month FROM prior_period_difference)) AS provisional
CROSS JOIN month
UNION ALL
SELECT statement_month, 'unknown job state', state_text, count(*), 'jobs', 'counted as productive until its state is known', false
FROM job JOIN attempt_month USING (attempt_id) CROSS JOIN month
WHERE job.state = 'UNKNOWN'
GROUP BY statement_month, state_text
UNION ALL
SELECT statement_month, 'measurement on another K', job_id, count(*), 'measurements',
       'of the job on K = ' || string_agg(DISTINCT measurement.k::text, ', ') || ', and it ran on ' || array_to_string(ran_on, ', ') || ': not counted', false
FROM (SELECT family, job_id, array_agg(DISTINCT k ORDER BY k) AS ran_on
      FROM measured_attempt JOIN (SELECT attempt_id FROM attempt_month) AS in_month USING (attempt_id)
      GROUP BY family, job_id) AS ran
JOIN measurement USING (family, job_id)
CROSS JOIN month
WHERE metric IN ('efficiency', 'compute_share') AND measurement.k <> ALL (ran_on)
GROUP BY statement_month, job_id, ran_on
UNION ALL
SELECT statement_month, 'measurement of another family', job_id, count(*), 'measurements',
       'of family ' || string_agg(DISTINCT measurement.family, ', ') || ', and the job is of ' || coalesce(families, 'none') || ': not counted', false
FROM (SELECT job_id, string_agg(DISTINCT family, ', ') AS families
      FROM measured_attempt
      GROUP BY job_id
      HAVING bool_or(attempt_id IN (SELECT attempt_id FROM attempt_month))) AS ran
JOIN measurement USING (job_id)
CROSS JOIN month
WHERE metric IN ('efficiency', 'compute_share')
  AND (family, job_id) NOT IN (SELECT family, job_id FROM measured_attempt WHERE family IS NOT NULL)
GROUP BY statement_month, job_id, families
UNION ALL
SELECT statement_month, 'measurement of several jobs', job_id, count(*), 'measurements',
       'not counted: clusters ' || clusters || ' have such a job; for that of ' || a_cluster || ' write ' || a_cluster || '/' || job_id, false
FROM (SELECT family, job_id, k, string_agg(DISTINCT cluster, ', ') AS clusters, min(cluster) AS a_cluster
      FROM measured_attempt
      GROUP BY family, job_id, k
      HAVING bool_or(is_ambiguous AND attempt_id IN (SELECT attempt_id FROM attempt_month))) AS ambiguous
JOIN measurement USING (family, job_id, k)
CROSS JOIN month
WHERE metric IN ('efficiency', 'compute_share')
GROUP BY statement_month, job_id, clusters, a_cluster
UNION ALL
SELECT statement_month, 'measurement of an unknown job', job_id, count(*), 'measurements', 'no job record has this id: not counted', false
FROM unknown_measurement CROSS JOIN month
GROUP BY statement_month, job_id
UNION ALL
SELECT statement_month, 'runs missing from later exports', cluster, runs, 'jobs', note, true
FROM missing_runs JOIN month ON known_month = statement_month;
