-- Pools and tax handed on what they were given, for each invoice. $1 is the month.
WITH compared AS (
    SELECT (given.billed_cost IS DISTINCT FROM handed_on.billed_cost OR given.effective_cost IS DISTINCT FROM handed_on.effective_cost)
           AND NOT EXISTS (SELECT FROM pruned_month WHERE statement_month = $1::date) AS differs,
           format('%s, invoice %s: given %s billed and %s effective, handed on %s and %s', name, coalesce(invoice_id, '(open)'),
                  coalesce(given.billed_cost, 0), coalesce(given.effective_cost, 0), coalesce(handed_on.billed_cost, 0),
                  coalesce(handed_on.effective_cost, 0)) AS what
    FROM (SELECT invoice_key, CASE target WHEN 'pool' THEN 'pool ' || pool ELSE 'tax' END AS name, sum(billed_cost) AS billed_cost,
                 sum(effective_cost) AS effective_cost
          FROM charge WHERE statement_month = $1::date AND target IN ('pool', 'tax') GROUP BY 1, 2) AS given
    FULL JOIN (SELECT invoice_key, CASE shared_kind WHEN 'pool' THEN 'pool ' || pool ELSE 'tax' END AS name, sum(billed_cost) AS billed_cost,
                      sum(effective_cost) AS effective_cost
               FROM shared_part WHERE statement_month = $1::date GROUP BY 1, 2) AS handed_on USING (invoice_key, name)
    LEFT JOIN invoice USING (invoice_key)
)
SELECT count(*), count(*) FILTER (WHERE differs), min(what COLLATE "C") FILTER (WHERE differs),
       (SELECT 'what pools and tax were given was pruned' FROM pruned_month WHERE statement_month = $1::date)
FROM compared;
