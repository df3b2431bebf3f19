-- The rows that were asked for: of a job, a cost centre, a pool, an invoice, a line, or all.
CREATE TEMP VIEW asked AS
SELECT *
FROM explained
WHERE pg_temp.is_asked(kind, target, attempt_id, charge_part, cost_centre, pool)
  AND CASE current_setting('kstar.explain_by')
          WHEN 'invoice' THEN coalesce(invoice_id, '(open)') = current_setting('kstar.explain_name')
          WHEN 'line' THEN line = current_setting('kstar.explain_line')::bigint
                           AND right('/' || file, length(current_setting('kstar.explain_file')) + 1) = '/' || current_setting('kstar.explain_file')
          ELSE true
      END;

-- The same rows in the order in which they are printed.
CREATE TEMP VIEW asked_in_order AS
SELECT *
FROM asked
ORDER BY array_position(ARRAY['line', 'shared', 'internal'], kind), resource_id COLLATE "C" NULLS LAST, charge_start, charge_end,
         file COLLATE "C", line,
         line_in_record, source COLLATE "C", invoice_issuer COLLATE "C", invoice_id COLLATE "C", billing_currency, pool COLLATE "C",
         array_position(ARRAY['job', 'pool'], target), target, attempt_id, cost_centre COLLATE "C", reason COLLATE "C", weight,
         rule_declared COLLATE "C", whole_effective_cost, whole_billed_cost;
