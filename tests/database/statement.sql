-- An invented statement of 2026-09, put straight into the published tables: for tests of the
-- workbooks, which read nothing else. `-v jobs=40` is how many attempts it has. Names are hostile
-- on purpose.
SET search_path = kstar, pg_catalog;
BEGIN;
INSERT INTO statement VALUES
    ('2026-09-01', 'Preliminary', '5f0c7a1e9d3b4c6f8a2e0d1b3c5f7a9e', '2026-10-02 03:00:00+00', '0.1.0', 'USD', 2);

INSERT INTO cost_centre (cost_centre, name, gl_account, owner) VALUES
    ('quill', 'Goose feather', '6410', 'Ada'), ('vision/lab.1', 'Vision lab', '6420', 'Grace'),
    ('=umber+1', '=HYPERLINK("http://example.org")', '6430', NULL), ('Quill', '+Search & ranking', '6440', 'Edsger'),
    ('harbour', 'Harbour works', '6450', NULL);
INSERT INTO setting (parameter, value) VALUES ('prepaid_gl_account', '1450'), ('statement_currency', 'USD');
INSERT INTO overhead_rate (name, amount_per_hour, currency, carrier) VALUES ('@streaming', 1.25, 'USD', 'harbour');
INSERT INTO reference_file VALUES ('cost_centres.csv', repeat('ab', 32)), ('settings.csv', repeat('cd', 32));
INSERT INTO delivery (source, kind, label, sha256, row_count, quarantined_rows) VALUES
    ('aws', 'billing', 'billing/aws/2026-09', repeat('11', 32), 1199, 1), ('colo', 'billing', 'billing/colo/2026-09', repeat('22', 32), 30, 0),
    ('slurm', 'jobs', 'jobs/slurm/2026-09', repeat('33', 32), 40, 0);
INSERT INTO source_file (delivery_id, path, sha256, bytes)
SELECT delivery_id, 'part-00001.csv', sha256, 123456 * delivery_id FROM delivery;
INSERT INTO load (delivery_id, source, billing_period, statement_month, row_count)
SELECT delivery_id, source, '2026-09-01', '2026-09-01', row_count FROM delivery WHERE kind = 'billing';
INSERT INTO current_load SELECT source, billing_period, load_id FROM load;

INSERT INTO job (attempt_id, source, cluster, job_id, job_id_raw, attempt_mark, run_group, job_name, account, user_name, submit_time,
                 start_time, end_time, elapsed_seconds, state, state_text, node_count, provisional)
SELECT n, 'slurm', 'north', (1000 + n)::text, (1000 + n)::text, '2026-09-01T00:00:00', (1000 + n / 4)::text,
       (ARRAY['train-llm', '=1+1', '-2+3', '@SUM(A1)', E'\ttab', '+cmd|calc', E'bell\x07 and _x0041_ é 漢字 😀', 'a<b>&"c" עברית'])[1 + n % 8],
       'acct', (ARRAY['ada', 'grace', 'edsger'])[1 + n % 3], at, at, CASE WHEN n % 17 <> 0 THEN at + interval '1 hour' * (1 + n % 9) END,
       3600 * (1 + n % 9),
       (ARRAY['COMPLETED', 'COMPLETED', 'COMPLETED', 'FAILED', 'CANCELLED'])[1 + n % 5],
       (ARRAY['COMPLETED', 'COMPLETED', 'COMPLETED', 'FAILED', 'CANCELLED by 380693'])[1 + n % 5],
       (ARRAY[1, 2, 4, 8, 16, 32, 64])[1 + n % 7], n % 17 = 0
FROM generate_series(1, :jobs) AS n
CROSS JOIN LATERAL (SELECT timestamptz '2026-09-01 00:00:00+00' + interval '37 minutes' * (n % 1100)) AS started (at);

INSERT INTO job_place (attempt_id, delivery_id, line_number)
SELECT n, 3, n FROM generate_series(1, :jobs) AS n;

INSERT INTO job_result
SELECT '2026-09-01', n, cost_centre, family, outcome, n % 17 = 0, k, k * hours, hours, hours, CASE WHEN n % 11 = 0 THEN 0.5 ELSE 0 END,
       2.1, 9.0 / 7, CASE WHEN outcome = 'productive' AND family <> 'new' THEN efficiency END,
       CASE WHEN outcome = 'productive' AND family <> 'new' THEN 'family' END,
       useful, waste, unmeasured, failed, cancelled, fees, fixed, internal, engineering,
       useful + waste + unmeasured + failed + cancelled + fees + fixed + internal + engineering,
       k_star, CASE WHEN above THEN '7–11' END, 25,
       CASE WHEN family = 'new' THEN 'not measured' WHEN outcome <> 'productive' THEN 'inside the band' WHEN above THEN 'above K*' ELSE 'near K*' END,
       CASE WHEN family = 'new' THEN 'no usable law: never measured' WHEN above THEN 'K is outside the interval 7–11 and costs more than 5 % above the optimum' ELSE 'within 5 % of the cheapest' END,
       n % 9 = 0, CASE WHEN family = 'new' THEN 'run time at K = 1, 2 and 4' WHEN n % 9 = 0 THEN 'a second run at K = 16' END,
       0.5, 1.1, hardware + fixed, (hardware + fixed) / 2, CASE WHEN above THEN hardware + fixed - (hardware + fixed) / 2 END,
       CASE WHEN above THEN (hardware + fixed - (hardware + fixed) / 2) / 3 END,
       CASE WHEN above THEN hardware + fixed - (hardware + fixed) / 2 - (hardware + fixed - (hardware + fixed) / 2) / 3 END,
       CASE WHEN above THEN hours * 1.15 END, CASE WHEN n % 6 = 0 THEN 12 END, CASE WHEN n % 6 = 0 THEN 16 END,
       CASE WHEN n % 14 = 6 THEN 'Ada until 2026-12-31: conference deadline' END
FROM generate_series(1, :jobs) AS n
CROSS JOIN LATERAL (SELECT
    (ARRAY['quill', 'vision/lab.1', '=umber+1', 'Quill', NULL])[1 + n % 5] AS cost_centre,
    (ARRAY['llm', 'vision: [small]*', 'new'])[1 + n % 3] AS family,
    (ARRAY['productive', 'productive', 'productive', 'failed', 'cancelled'])[1 + (n / 2) % 5] AS outcome,
    (ARRAY[1, 2, 4, 8, 16, 32, 64])[1 + n % 7] AS k, 1 + n % 9 AS hours, 0.93 - 0.06 * (n % 7) AS efficiency, 8 AS k_star) AS a
CROSS JOIN LATERAL (SELECT (210 * k * hours + n % 13)::bigint AS hardware, 129::bigint * hours AS fixed,
                           k > 11 AND outcome = 'productive' AND family <> 'new' AS above) AS b
CROSS JOIN LATERAL (SELECT
    CASE WHEN outcome = 'productive' AND family <> 'new' THEN trunc(hardware * efficiency)::bigint ELSE 0 END AS useful,
    CASE WHEN outcome = 'productive' AND family <> 'new' THEN hardware - trunc(hardware * efficiency)::bigint ELSE 0 END AS waste,
    CASE WHEN outcome = 'productive' AND family = 'new' THEN hardware ELSE 0 END AS unmeasured,
    CASE WHEN outcome = 'failed' THEN hardware ELSE 0 END AS failed, CASE WHEN outcome = 'cancelled' THEN hardware ELSE 0 END AS cancelled,
    CASE WHEN outcome = 'productive' THEN 7::bigint * (n % 4) ELSE 0 END AS fees,
    41::bigint * hours AS internal, 55::bigint * hours AS engineering) AS c;

UPDATE job_result SET node_seconds = node_hours::numeric * 3600, wall_seconds = wall_hours::numeric * 3600,
                      is_attainable = is_attainable(waiver, job_hours, job_hours_at_k_star, deadline_hours);

UPDATE job_result
SET state_text = job.state_text, base_state = job.state, start_time = job.start_time, end_time = job.end_time, run_group = job.run_group,
    commented_tokens = commented_tokens(job.comment)
FROM job WHERE job.attempt_id = job_result.attempt_id;

INSERT INTO invoice (invoice_key, source, billing_period, invoice_issuer_name, invoice_id, billing_currency, text_hash) VALUES
    (1, 'aws', '2026-09-01', 'Amazon Web Services', 'INV-0001', 'USD', 0), (2, 'colo', '2026-09-01', '-Colo GmbH', NULL, 'EUR', 0);

CREATE TEMP TABLE planted_row AS SELECT * FROM statement_row LIMIT 0;
ALTER TABLE planted_row DROP sum_id;

-- On jobs: each column of job_result is a row of invoice 1, or internal.
INSERT INTO planted_row (statement_month, block, line_type, invoice_key, cost_centre, component, row_key, attempt_id, pool, reason, gl_account,
                           billed_cost, effective_cost, amount, minor_units)
SELECT '2026-09-01', CASE WHEN on_bill THEN 'invoice' ELSE 'internal' END,
       CASE WHEN cost_centre IS NULL THEN 'unallocated' ELSE 'charge' END, CASE WHEN on_bill THEN 1 END, cost_centre, component,
       NULL, attempt_id, CASE WHEN NOT on_bill THEN component END,
       CASE WHEN cost_centre IS NULL THEN 'job without cost centre' END, NULL,
       minor / 100.0, minor / 100.0, minor / 100.0, minor
FROM job_result
CROSS JOIN LATERAL (VALUES ('useful_compute', useful_compute_minor), ('coordination_waste', coordination_waste_minor),
    ('unmeasured_hardware', unmeasured_hardware_minor), ('failed_runs', failed_runs_minor), ('cancelled', cancelled_minor),
    ('cloud_fees', cloud_fees_minor), ('fixed_overhead', fixed_overhead_minor),
    ('internal_overhead', internal_overhead_minor), ('engineering_overhead', engineering_overhead_minor)) AS part (component, minor)
CROSS JOIN LATERAL (SELECT component NOT IN ('internal_overhead', 'engineering_overhead')) AS place (on_bill)
WHERE minor <> 0;
INSERT INTO planted_row (statement_month, block, line_type, invoice_key, cost_centre, component, row_key, attempt_id, pool, reason, gl_account,
                           billed_cost, effective_cost, amount, minor_units)
SELECT '2026-09-01', 'internal', 'charge', NULL, 'harbour', component, component || ': carrier', NULL, component, NULL, NULL,
       0, -sum(amount), -sum(amount), -sum(minor_units)
FROM planted_row WHERE block = 'internal' GROUP BY component;

INSERT INTO planted_row (statement_month, block, line_type, invoice_key, cost_centre, component, row_key, attempt_id, pool, reason, gl_account,
                           billed_cost, effective_cost, amount, minor_units) VALUES
    ('2026-09-01', 'invoice', 'charge', 1, 'quill', 'idle', 'north-idle', NULL, 'north-idle', NULL, NULL, 812.345678, 812.345678, 812.345678, 81235),
    ('2026-09-01', 'invoice', 'charge', 1, 'harbour', 'unused_commitments', 'reserved', NULL, 'reserved', NULL, NULL, 100, 100, 100, 10000),
    ('2026-09-01', 'invoice', 'charge', 1, 'vision/lab.1', 'shared_services', 'support', NULL, 'support', NULL, NULL, 33.333333, 33.333333, 33.333333, 3333),
    ('2026-09-01', 'invoice', 'charge', 1, '=umber+1', 'direct_cost', 'Amazon S3', NULL, NULL, NULL, NULL, 12.1, 12.1, 12.1, 1210),
    ('2026-09-01', 'invoice', 'charge', 1, 'Quill', 'credits', 'Amazon EC2', NULL, NULL, NULL, NULL, -50, -50, -50, -5000),
    ('2026-09-01', 'invoice', 'charge', 2, 'quill', 'shared_services', 'housing', NULL, 'housing', NULL, NULL, 1000, 1000, 1100, 110000),
    ('2026-09-01', 'invoice', 'charge', 2, 'quill', 'tax', 'tax', NULL, 'tax', NULL, NULL, 95, 95, 104.5, 10450),
    ('2026-09-01', 'invoice', 'unallocated', 1, NULL, NULL, 'Amazon VPC', NULL, NULL, 'no rule matches', NULL, 77.7, 77.7, 77.7, 7770),
    ('2026-09-01', 'invoice', 'unallocated', 1, NULL, NULL, '(none)', NULL, NULL, 'quarantined', NULL, 5, 5, 5, 500),
    ('2026-09-01', 'invoice', 'balance sheet', 2, NULL, NULL, '1405', NULL, 'tax', NULL, '1405', 95, 95, 104.5, 10450),
    ('2026-09-01', 'invoice', 'prepaid', 1, NULL, NULL, 'arn:aws:savingsplans::123456789012:savingsplan/0f1e2d3c-4b5a-6978-8796-a5b4c3d2e1f0', NULL, NULL, NULL, NULL, 0, 0, 11000, 1100000),
    ('2026-09-01', 'invoice', 'unexplained', 1, NULL, NULL, 'Amazon RDS', NULL, NULL, 'billed and effective cost differ without a commitment', NULL, 0, 0, 0.01, 1);

UPDATE planted_row SET gl_account = coalesce(planted_row.gl_account,
    (SELECT cost_centre.gl_account FROM cost_centre WHERE cost_centre.cost_centre = planted_row.cost_centre),
    CASE line_type WHEN 'prepaid' THEN '1450' ELSE '6999' END);

\ir ../lib/planted_rows.sql

INSERT INTO statement_invoice
SELECT '2026-09-01', invoice_key, source, invoice_issuer_name, invoice_id, billing_currency, CASE billing_currency WHEN 'EUR' THEN 1.1 ELSE 1 END,
       CASE billing_currency WHEN 'EUR' THEN date '2026-09-30' END, CASE invoice_key WHEN 1 THEN 1200 ELSE 30 END,
       CASE invoice_key WHEN 1 THEN 1 ELSE 0 END,
       sum(billed_cost) + sum(CASE WHEN line_type IN ('prepaid', 'unexplained') THEN amount ELSE 0 END), sum(effective_cost), sum(minor_units),
       CASE WHEN invoice_key = 1 THEN sum(billed_cost) + sum(CASE WHEN line_type IN ('prepaid', 'unexplained') THEN amount ELSE 0 END) + 0.02 END,
       CASE WHEN invoice_key = 1 THEN 0.02 END, CASE WHEN invoice_key = 1 THEN 1 END
FROM statement_row JOIN invoice USING (invoice_key)
GROUP BY invoice_key, source, invoice_issuer_name, invoice_id, billing_currency;

-- Prices: everybody's billed cost is the invoices; each cost centre has lines of its own.
INSERT INTO statement_price
SELECT '2026-09-01', '', invoice_key, block, service_name, commitment, pricing, 10, 1, billed, billed, billed, billed,
       billed + saved, billed + saved, billed + spread, billed
FROM statement_invoice
CROSS JOIN LATERAL (VALUES
    ('usage', 'Amazon EC2', '', 'on demand', minor_units - 1200000 - 7, 5000, 0), ('usage', 'Amazon EC2', '=plan-7', 'committed', 0, 150000, 90000),
    ('unused commitment', '-Plans', '=plan-7', '', 0, 0, 10000), ('purchase', '-Plans', '=plan-7', '', 1200000, 0, -1200000),
    ('other', 'Tax', '', '', 7, 0, 0)) AS line (block, service_name, commitment, pricing, billed, saved, spread);
INSERT INTO statement_price
SELECT '2026-09-01', cost_centre, 1, 'usage', 'Amazon EC2 of ' || cost_centre, '', 'on demand', 3, 0, 120, 110, 100, 100, 12000, 11000, 10000, 10000
FROM cost_centre;
INSERT INTO statement_idle VALUES
    ('2026-09-01', 'north-idle', 'i-0123', 'north/node017', 12.5, 81235), ('2026-09-01', NULL, '=i-0456', NULL, 1.25, 300);

-- Pools, and who takes what part of each.
INSERT INTO pool (pool, component, owner, split, basis) VALUES
    ('north-idle', 'idle', 'quill', 'keep', NULL), ('support', 'shared_services', 'harbour', 'proportional', 'direct_cost'),
    ('control', 'fixed_overhead', 'harbour', 'proportional', 'wall_hours');
INSERT INTO shared_part (statement_month, invoice_key, shared_kind, pool, part, component, target, attempt_id, cost_centre, reason, weight,
                         billed_cost, effective_cost)
SELECT '2026-09-01', 1, 'pool', pool, row_number() OVER (), component, target, attempt_id, cost_centre, NULL, weight, cost, cost
FROM (SELECT 'north-idle' AS pool, 'idle' AS component, 'cost centre' AS target, NULL::bigint AS attempt_id, 'quill' AS cost_centre,
             1.0 AS weight, 812.345678 AS cost
      UNION ALL SELECT 'support', 'shared_services', 'cost centre', NULL, 'vision/lab.1', 300, 33.333333
      UNION ALL SELECT 'support', 'shared_services', 'cost centre', NULL, 'Quill', 100, 0
      UNION ALL SELECT 'control', 'fixed_overhead', 'job', attempt_id, NULL, wall_hours * 3600, fixed_overhead_minor / 100.0
                FROM job_result) AS part;
INSERT INTO quarantined_row (delivery_id, file_id, line_number, column_name, reason, raw, billing_period, invoice_key, billed_cost,
                          effective_cost, billing_currency)
SELECT 1, 1, 77, 'BilledCost', '"=1+1" is not a decimal number', 'x', '2026-09-01', 1, 5, 5, 'USD';

INSERT INTO charge (statement_month, invoice_key, charge_part, rule, target, resource_key, is_of_another_statement, line_count,
                    billed_cost, effective_cost, charged_cost, committed_cost, spot_cost, priced_seconds)
SELECT '2026-09-01', invoice_key, 'other', 2, 'job', 0, false, 1, billed_cost, effective_cost, effective_cost, 0, 0, 0
FROM statement_invoice;

INSERT INTO family_fit (statement_month, family, series, scaling, law, t1_hours, serial_fraction, communication_coefficient, step, smallest_k,
                        largest_k, measurements, distinct_k, r_squared, largest_residual, low_confidence, reason, alternatives,
                        price_per_node_hour, fixed_per_wall_hour, k_star, k_star_interval, k_fastest) VALUES
    ('2026-09-01', 'llm', 'A100, bf16', 'strong', 'usl', 10, 0.03, 0.0015, 0, 1, 64, 9, 7, 0.998, 0.021, false,
     'smallest error when each K is left out in turn', 'stepped: K* 8', 2.1, 9, 8, '7–11', 25),
    ('2026-09-01', 'vision: [small]*', 'V100, fp16', 'strong', 'stepped', 3, 0.01, 0.002, 0.08, 1, 16, 5, 5, 0.99, 0.03, true,
     'the step explains the loss from one node to two', NULL, 2.1, 4, 6, NULL, 21);
INSERT INTO family_curve
SELECT '2026-09-01', family, k, 1 / inverse, hours, (2.1 * k + fixed_per_wall_hour) * hours,
       CASE WHEN k IN (1, 2, 4, 8, 16, 32, 64) AND k <= largest_k THEN hours * (1 + 0.02 * (k % 3 - 1)) END,
       CASE WHEN k IN (1, 2, 4, 8, 16, 32, 64) AND k <= largest_k THEN (2.1 * k + fixed_per_wall_hour) * hours * (1 + 0.02 * (k % 3 - 1)) END
FROM family_fit
CROSS JOIN LATERAL generate_series(1, largest_k) AS k
CROSS JOIN LATERAL (SELECT 1 + step * (k > 1)::int + (k - 1) * serial_fraction + communication_coefficient * k * (k - 1) AS inverse) AS a
CROSS JOIN LATERAL (SELECT t1_hours * inverse / k AS hours) AS b;

INSERT INTO family_rate
SELECT '2026-09-01', family, k, 'nodes', CASE WHEN k > largest_k THEN 'fitted, low confidence' WHEN k = 6 THEN 'fitted' ELSE 'measured' END, k = k_star,
       price_per_node_hour, fixed_per_wall_hour, 1 / inverse, stretch, t1_hours * inverse / k * stretch
FROM family_fit
CROSS JOIN (VALUES (1), (2), (4), (6), (8), (16), (32), (64), (128)) AS size (k)
CROSS JOIN LATERAL (SELECT 1 + step * (k > 1)::int + (k - 1) * serial_fraction + communication_coefficient * k * (k - 1) AS inverse,
                           CASE family WHEN 'llm' THEN 1 + 0.01 * k ELSE 1 END AS stretch) AS a
WHERE k <= 2 * largest_k AND (k <> 6 OR k_star = 6);

INSERT INTO statement_note VALUES
    ('2026-09-01', 'unpriced node-hours', 'north/node017', 1.5, 'hours', 'Held by jobs, but on no bill', false),
    ('2026-09-01', 'awaiting job records', 'slurm', 312.5, 'USD', 'Node cost after the last record of this source', true);
INSERT INTO finding VALUES
    ('2026-09-01', 1, 'prepaid balance change', 1100000, 'The savings plan''s upfront fee of 12,000.00 USD is on this invoice; 1,000.00 USD of it is this month''s use'),
    ('2026-09-01', 2, 'above K*', 60400, 'Job 1013 ran on 64 nodes; at 8 it would have cost half'),
    ('2026-09-01', 3, 'idle', 81235, 'Idle nodes of pool north-idle cost quill 812.35 USD');
COMMIT;

-- July is closed, and has been restated since: its adjustments stand in this statement, per source
-- and internal.
INSERT INTO statement (statement_month, status, run_id, as_of, kstar_version, statement_currency, minor_unit_digits)
SELECT '2026-07-01', 'Final', 'a0a0a0a0a0a0a0a0', '2026-08-03T00:00:00Z', kstar_version, statement_currency, minor_unit_digits
FROM statement WHERE statement_month = '2026-09-01';
INSERT INTO closure (statement_month, closed_by, facts_sha256) VALUES ('2026-07-01', 'controller', repeat('0', 64));
INSERT INTO adjustment (statement_month, adjusted_month, source, line_type, cost_centre, component, subject, gl_account,
                        frozen_minor, adjusted_minor, replayed_minor, minor_units, own_minor) VALUES
    ('2026-09-01', '2026-07-01', 'cloud', 'charge', 'quill', 'useful_compute', '', '6001', 500000, 1000, 515025, 14025, 14025),
    ('2026-09-01', '2026-07-01', 'cloud', 'charge', 'harbour', 'idle', '', '6002', 20000, 0, 9975, -10025, -10025),
    ('2026-09-01', '2026-07-01', 'cloud', 'unallocated', NULL, NULL, 'no rule matches', NULL, 0, 0, 3, 3, 3),
    ('2026-09-01', '2026-07-01', 'colo', 'prepaid', NULL, NULL, '=plan-7', '1410', 90000, 0, 80000, -10000, -10000),
    ('2026-09-01', '2026-07-01', NULL, 'charge', 'quill', 'engineering_overhead', '', '6001', 40000, 0, 41000, 1000, 1000),
    ('2026-09-01', '2026-07-01', NULL, 'charge', 'harbour', 'engineering_overhead', 'credit of the carrier: tuning', '6002', -40000, 0, -41000, -1000, -1000);
INSERT INTO adjustment_proof (statement_month, adjusted_month, source, frozen_minor, adjusted_minor, replayed_minor) VALUES
    ('2026-09-01', '2026-07-01', 'cloud', 900000, 1000, 905003),
    ('2026-09-01', '2026-07-01', 'colo', 90000, 0, 80000),
    ('2026-09-01', '2026-07-01', NULL, 0, 0, 0);
