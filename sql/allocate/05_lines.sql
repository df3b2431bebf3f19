-- The classes of the statement's lines, and for each the rules that could take it.

-- Lines that no rule can tell apart form a class; rules are matched once per class. Days between two changes of any rule, or of a cost centre
-- (20_suspense.sql), are alike, too: `epoch` numbers the spans between changes, which end where a closed month does.
CREATE TEMP TABLE rule_change ON COMMIT DROP AS
SELECT coalesce(array_agg(DISTINCT day ORDER BY day), '{}') AS days,
       EXISTS (SELECT FROM mapping_rule WHERE match = 'charge_description')
       OR EXISTS (SELECT FROM pool_rule WHERE match = 'charge_description')
       OR EXISTS (SELECT FROM serving_fleet WHERE match = 'charge_description') AS asks_description
FROM (SELECT valid_from FROM mapping_rule UNION SELECT valid_to FROM mapping_rule
      UNION SELECT valid_from FROM pool_rule UNION SELECT valid_to FROM pool_rule
      UNION SELECT valid_from FROM cost_centre UNION SELECT valid_to FROM cost_centre
      UNION SELECT unnest(ARRAY[valid_from, valid_to, statement_month, (statement_month + interval '1 month')::date]) FROM stated_cost_centre
      UNION SELECT lower(days) FROM closed_month UNION SELECT upper(days) FROM closed_month) AS change (day)
WHERE isfinite(day);

-- Where the month's lines are, counted before they are read: a plan that does not know how many there are compares each with each load.
CREATE TEMP TABLE month_chunk ON COMMIT DROP AS
SELECT load_id, load.source, file_id, first_line, chunk_id, load_chunk.billing_period
FROM month
JOIN load USING (statement_month)
JOIN current_load USING (load_id)
JOIN load_chunk USING (load_id);

ANALYZE month_chunk;

-- A line with the keys of its class.
CREATE TEMP VIEW line AS
SELECT load_id, source, file_id, first_line + line_in_chunk AS line_number, row_in_record, invoice_key, charge_kind_key,
       coalesce(account_key, 0)    AS account_key,
       coalesce(resource_key, 0)   AS resource_key,
       coalesce(sku_key, 0)        AS sku_key,
       coalesce(commitment_key, 0) AS commitment_key,
       coalesce(tag_set_key, 0)    AS tag_set_key,
       CASE WHEN (SELECT asks_description FROM rule_change) THEN coalesce(charge_description_key, 0) ELSE 0 END AS charge_description_key,
       width_bucket((charge_period_start AT TIME ZONE 'UTC')::date, (SELECT days FROM rule_change)) AS epoch,
       charge_period_start, charge_period_end, billed_cost, effective_cost, list_cost, contracted_cost, consumed_quantity, pricing_quantity
FROM month_chunk
JOIN billing_line USING (chunk_id, billing_period)
WHERE billing_period = ANY (ARRAY(SELECT DISTINCT billing_period FROM month_chunk)); -- other partitions are not read

-- The lines in one pass over them: how many there are of a class, what they add up to, and from when to when they are. A list or contracted
-- cost that a line does not say counts with the next price; what nobody used would have cost nothing without its commitment.
-- By hash: nobody can foresee how few classes there are, and to sort the lines takes three times as long.
SET LOCAL enable_sort = off;
CREATE TEMP TABLE class_sum ON COMMIT DROP AS
SELECT load_id, source, invoice_key, charge_kind_key, account_key, resource_key, sku_key, commitment_key, tag_set_key,
       charge_description_key, epoch, min((charge_period_start AT TIME ZONE 'UTC')::date) AS charge_date,
       count(*) AS line_count, count(*) FILTER (WHERE list_cost IS NULL) AS unlisted_count,
       sum(billed_cost) AS billed_cost, sum(effective_cost) AS effective_cost,
       sum(coalesce(list_cost, contracted_cost)) AS list_cost, sum(contracted_cost) AS contracted_cost,
       sum(effective_cost) FILTER (WHERE coalesce(list_cost, contracted_cost) IS NULL) AS effective_without_list,
       sum(effective_cost) FILTER (WHERE contracted_cost IS NULL) AS effective_without_contract,
       min(charge_period_start) AS first_start, max(charge_period_end) AS last_end
FROM line
GROUP BY load_id, source, invoice_key, charge_kind_key, account_key, resource_key, sku_key, commitment_key, tag_set_key,
         charge_description_key, epoch;
SET LOCAL enable_sort TO DEFAULT;

ANALYZE class_sum;

CREATE TEMP TABLE line_class ON COMMIT DROP AS
SELECT row_number() OVER () AS class_id, load_id, class_sum.source, invoice_key, charge_kind_key, account_key, resource_key, sku_key, commitment_key,
       tag_set_key, charge_description_key, epoch, charge_date, closed_month.statement_month AS closed_month,
       CASE WHEN resource_id IS NULL THEN resource_key ELSE min(resource_key) OVER (PARTITION BY lower(resource_id)) END AS node_key,
       charge_category, charge_class, charge_frequency, pricing_category, commitment_discount_status, capacity_reservation_status,
       commitment_discount_id, resource_id, resource_name, tags, invoice_issuer_name,
       provider_name, service_category, service_name, sku_id, billing_account_id, sub_account_id, charge_description,
       seconds_of_unit(consumed_unit) AS consumed_unit_seconds,
       seconds_of_unit(pricing_unit)  AS pricing_unit_seconds,
       CASE charge_category
           WHEN 'Credit' THEN 'credits'
           WHEN 'Adjustment' THEN 'charge_adjustments'
           ELSE CASE WHEN service_category IN ('Compute', 'AI and Machine Learning')
                          AND (is_time_unit(consumed_unit) OR is_time_unit(pricing_unit))
                     THEN 'hardware' ELSE 'fees' END
       END AS charge_part,
       pricing_category IS NOT DISTINCT FROM 'Committed' OR commitment_discount_id IS NOT NULL OR capacity_reservation_id IS NOT NULL AS is_committed,
       pricing_category IS NOT DISTINCT FROM 'Dynamic' AS is_spot,
       uncommitted, -- what its effective cost counts with where no other is said
       line_count, unlisted_count, billed_cost, effective_cost,
       coalesce(list_cost, 0) + coalesce(effective_without_list, 0) * uncommitted AS list_cost,
       coalesce(contracted_cost, 0) + coalesce(effective_without_contract, 0) * uncommitted AS contracted_cost,
       first_start, last_end
FROM class_sum
JOIN invoice USING (invoice_key, source)
JOIN charge_kind USING (charge_kind_key)
LEFT JOIN account USING (account_key)
LEFT JOIN resource USING (resource_key)
LEFT JOIN sku USING (sku_key)
LEFT JOIN commitment USING (commitment_key)
LEFT JOIN tag_set USING (tag_set_key)
LEFT JOIN charge_description USING (charge_description_key)
LEFT JOIN closed_month ON closed_month.statement_month = date_trunc('month', charge_date)::date
CROSS JOIN LATERAL (SELECT CASE WHEN charge_category = 'Usage' AND commitment_discount_status IS NOT DISTINCT FROM 'Unused' THEN 0 ELSE 1 END)
           AS without_commitment (uncommitted);

CREATE UNIQUE INDEX ON line_class (class_id);
ANALYZE line_class;

CREATE TEMP TABLE load_line_count ON COMMIT DROP AS
SELECT load_id, sum(line_count) AS line_count
FROM line_class
GROUP BY load_id;

-- What rules can say of a class, one row per attribute; tags only where a rule asks for the key.
CREATE TEMP TABLE class_attribute ON COMMIT DROP AS
SELECT class_id, match, value
FROM line_class
CROSS JOIN LATERAL (VALUES
    ('sub_account_id', sub_account_id), ('billing_account_id', billing_account_id), ('service_name', service_name),
    ('service_category', service_category), ('resource_id', resource_id), ('resource_name', resource_name),
    ('sku_id', sku_id), ('charge_category', charge_category), ('charge_description', charge_description),
    ('commitment_discount_id', commitment_discount_id), ('commitment_discount_status', commitment_discount_status),
    ('capacity_reservation_status', capacity_reservation_status), ('invoice_issuer_name', invoice_issuer_name),
    ('source', source)) AS attribute (match, value)
WHERE value IS NOT NULL
UNION ALL
SELECT class_id, 'tag:' || key, tags ->> key
FROM line_class
JOIN (SELECT substr(match, 5) FROM mapping_rule WHERE match LIKE 'tag:%'
      UNION SELECT substr(match, 5) FROM pool_rule WHERE match LIKE 'tag:%') AS asked (key) ON tags ? key
WHERE tags ->> key IS NOT NULL;

ANALYZE class_attribute;

-- Rule 3.
CREATE TEMP TABLE class_pool ON COMMIT DROP AS
SELECT DISTINCT ON (class_id) class_id, pool
FROM pool_rule
JOIN class_attribute USING (match)
JOIN line_class USING (class_id)
WHERE value LIKE glob_to_like(pattern) AND valid_from <= charge_date AND charge_date < valid_to
ORDER BY class_id, priority, declared_from, pool;

-- Rule 4.
CREATE TEMP TABLE class_cost_centre ON COMMIT DROP AS
SELECT DISTINCT ON (class_id) class_id, cost_centre
FROM mapping_rule
JOIN class_attribute USING (match)
JOIN line_class USING (class_id)
WHERE value LIKE glob_to_like(pattern) AND valid_from <= charge_date AND charge_date < valid_to
ORDER BY class_id, priority, declared_from, cost_centre;
