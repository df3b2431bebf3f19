-- Sheet "Discounts": what lines of block $1 cost at list, contracted, effective and billed, by
-- service and commitment.
SELECT service_name, nullif(commitment, '') AS commitment, nullif(pricing, '') AS pricing, sum(line_count)::bigint AS line_count,
       sum(unlisted_count)::bigint AS unlisted_count, sum(list_minor)::bigint AS list_minor,
       sum(list_minor - contracted_minor)::bigint AS negotiated_minor, sum(contracted_minor)::bigint AS contracted_minor,
       sum(contracted_minor - effective_minor)::bigint AS commitment_minor, sum(effective_minor)::bigint AS effective_minor,
       sum(list_minor - effective_minor)::bigint AS saved_minor,
       sum(list_minor - effective_minor) / nullif(sum(list_minor), 0) AS saved_share,
       sum(billed_minor - effective_minor)::bigint AS prepaid_minor, sum(billed_minor)::bigint AS billed_minor
FROM statement_price
WHERE statement_month = current_setting('kstar.statement_month')::date
  AND cost_centre = current_setting('kstar.cost_centre') AND block = $1
GROUP BY service_name, commitment, pricing
ORDER BY abs(sum(effective_minor)) DESC, service_name COLLATE "C", commitment COLLATE "C", pricing COLLATE "C";
