-- The rows that were asked for, in an order of their own: of a job, a cost centre, a pool, an
-- invoice, a line, or all.
CREATE TEMP VIEW asked AS
SELECT *
FROM explained
WHERE CASE current_setting('kstar.explain_by')
          -- credits and adjustments on a job's resources stand with its cost centre
          WHEN 'job' THEN target = 'job' AND attempt_id = ANY (current_setting('kstar.explain_attempts')::bigint[])
                          AND charge_part IS DISTINCT FROM 'credits' AND charge_part IS DISTINCT FROM 'charge_adjustments'
          WHEN 'cost centre' THEN cost_centre = current_setting('kstar.explain_name')
          WHEN 'pool' THEN kind <> 'off the bill' AND (pool = current_setting('kstar.explain_name')
                                                       OR target = 'tax' AND current_setting('kstar.explain_name') = 'tax')
          WHEN 'invoice' THEN kind = 'line' AND coalesce(invoice_id, '(open)') = current_setting('kstar.explain_name')
          WHEN 'line' THEN line = current_setting('kstar.explain_line')::bigint
                           AND right('/' || file, length(current_setting('kstar.explain_file')) + 1) = '/' || current_setting('kstar.explain_file')
          ELSE true
      END
ORDER BY array_position(ARRAY['line', 'shared', 'off the bill'], kind), resource_id COLLATE "C" NULLS LAST, charge_start, charge_end,
         file COLLATE "C", line,
         line_in_record, source COLLATE "C", invoice_issuer COLLATE "C", invoice_id COLLATE "C", billing_currency, pool COLLATE "C",
         array_position(ARRAY['job', 'pool'], target), target, attempt_id, cost_centre COLLATE "C", reason COLLATE "C", weight;
