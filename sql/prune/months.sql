-- The months to prune, each with the reason why it stays, if it does: the closed months except the
-- latest kstar.prune_keep, or the month kstar.prune_month alone. If neither is set, none.
CREATE TEMPORARY TABLE prune_month ON COMMIT DROP AS
SELECT statement_month, NULL::text AS reason
FROM closure
WHERE statement_month NOT IN (SELECT statement_month FROM pruned_month)
  AND statement_month <= (SELECT max(statement_month) FROM closure) - make_interval(months => nullif(current_setting('kstar.prune_keep'), '')::integer)
UNION
SELECT statement_month, NULL
FROM (SELECT nullif(current_setting('kstar.prune_month'), '')::date) AS asked (statement_month)
WHERE statement_month IS NOT NULL AND statement_month NOT IN (SELECT statement_month FROM pruned_month);

UPDATE prune_month
SET reason = CASE
        WHEN statement_month NOT IN (SELECT statement_month FROM statement)
            THEN 'it has no statement: kstar status lists the months that have one'
        WHEN NOT EXISTS (SELECT FROM closure WHERE closure.statement_month = prune_month.statement_month)
            THEN 'it is not closed'
        WHEN prune_month.statement_month = (SELECT max(statement_month) FROM closure)
            THEN 'it is the month closed last: forecasts use its purchases'
        WHEN statement_month IN (SELECT statement_month FROM months_to_replay(ARRAY(SELECT statement_month FROM prune_month)))
            THEN 'a change since its last replay is not counted yet: run the night first'
        WHEN EXISTS (SELECT FROM prior_period_difference WHERE adjusted_month = prune_month.statement_month)
            THEN format('%s carries its adjustments and is open', to_char(adjustment_carrier(prune_month.statement_month), 'YYYY-MM'))
    END;

-- What the lines of each bill refer to: the months that they correct, whose lines a replay needs,
-- and the time from which on the holds of the billed nodes are needed. Purchases, tax and lines
-- without a resource need neither.
CREATE TEMPORARY TABLE prune_need ON COMMIT DROP AS
SELECT date_trunc('month', billing_period)::date                                         AS bill_month,
       charge_class IS NOT DISTINCT FROM 'Correction'                                    AS corrects,
       date_trunc('month', charge_period_start)::date                                    AS from_month,
       date_trunc('month', greatest(charge_period_start, charge_period_end - interval '1 microsecond'))::date AS to_month,
       min(charge_period_start)                                                          AS first_start
FROM billing_line
JOIN charge_kind USING (charge_kind_key)
WHERE resource_key IS NOT NULL AND charge_category NOT IN ('Purchase', 'Tax')
GROUP BY 1, 2, 3, 4;

-- The query below allocates memory for as many months as PostgreSQL expects.
ANALYZE prune_month, prune_need;

-- A month that stays because of another month also keeps the months that it corrects itself.
WITH RECURSIVE kept (statement_month) AS (
    SELECT DISTINCT bill_month FROM prune_need WHERE bill_month NOT IN (SELECT statement_month FROM prune_month WHERE reason IS NULL)
    UNION
    SELECT prune_month.statement_month
    FROM kept
    JOIN prune_need ON bill_month = kept.statement_month AND corrects
    JOIN prune_month ON prune_month.statement_month BETWEEN from_month AND to_month
)
UPDATE prune_month
SET reason = format('the bill of %s corrects it', (SELECT to_char(min(bill_month), 'YYYY-MM')
                                                  FROM prune_need JOIN kept ON kept.statement_month = bill_month
                                                  WHERE corrects AND prune_month.statement_month BETWEEN from_month AND to_month
                                                    AND bill_month <> prune_month.statement_month))
WHERE reason IS NULL AND statement_month IN (SELECT statement_month FROM kept);
