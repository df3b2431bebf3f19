-- A statement in a few lines for the nightly's summary: its totals and its most expensive findings.
WITH wanted AS (
    SELECT *
    FROM statement WHERE statement_month = $1::date
), line (position, words) AS (
    SELECT 0, format('statement %s (%s, run %s, as of %s)', to_char(statement_month, 'YYYY-MM'), status, run_id,
                     to_char(as_of, 'YYYY-MM-DD HH24:MI "UTC"'))
    FROM wanted
    UNION ALL
    SELECT 1, format('  invoiced    %s %s = charged %s + unallocated %s + balance sheet %s + prepaid %s + unexplained %s', statement_currency,
                     money_text(coalesce(sum(minor_units), 0), minor_unit_digits),
                     money_text(coalesce(sum(minor_units) FILTER (WHERE line_type = 'charge'), 0), minor_unit_digits),
                     money_text(coalesce(sum(minor_units) FILTER (WHERE line_type = 'unallocated'), 0), minor_unit_digits),
                     money_text(coalesce(sum(minor_units) FILTER (WHERE line_type = 'balance sheet'), 0), minor_unit_digits),
                     money_text(coalesce(sum(minor_units) FILTER (WHERE line_type = 'prepaid'), 0), minor_unit_digits),
                     money_text(coalesce(sum(minor_units) FILTER (WHERE line_type = 'unexplained'), 0), minor_unit_digits))
    FROM wanted JOIN statement_row USING (statement_month)
    WHERE block = 'invoice'
    GROUP BY statement_currency, minor_unit_digits
    UNION ALL
    SELECT 2, format('  adjustments %s %s of closed months: %s', statement_currency, money_text(sum(minor_units), minor_unit_digits),
                     string_agg(to_char(adjusted_month, 'YYYY-MM'), ', ' ORDER BY adjusted_month))
    FROM wanted
    JOIN (SELECT statement_month, adjusted_month, coalesce(sum(minor_units) FILTER (WHERE source IS NOT NULL), 0) AS minor_units
          FROM adjustment GROUP BY statement_month, adjusted_month) AS adjusted USING (statement_month)
    GROUP BY statement_currency, minor_unit_digits
    UNION ALL
    SELECT 2 + rank, format('  finding %s   %s', rank, finding)
    FROM wanted JOIN finding USING (statement_month)
    WHERE rank <= 3
    UNION ALL
    SELECT 100, format('  waiting     %s (%s): %s', kind, subject, note)
    FROM wanted JOIN statement_note USING (statement_month)
    WHERE blocks_close
)
SELECT words FROM line ORDER BY position, words COLLATE "C";
