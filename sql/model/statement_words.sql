-- A statement in a few lines for the night's summary: its dearest flag, its coverage, how much was
-- judged, what can be saved, its totals and its most expensive findings.
WITH wanted AS (
    SELECT *
    FROM statement WHERE statement_month = $1::date
), line (position, words) AS (
    SELECT 0, format('statement %s (%s, run %s, as of %s)', to_char(statement_month, 'YYYY-MM'), status, run_id,
                     to_char(as_of, 'YYYY-MM-DD HH24:MI "UTC"'))
    FROM wanted
    UNION ALL
    SELECT summary_line.position, '  ' || summary_line.words
    FROM wanted
    CROSS JOIN LATERAL headlines(statement_month, ARRAY['']) AS summary
    CROSS JOIN LATERAL (VALUES (0.1, headline), (0.2, coverage), (0.3, judged), (0.4, saving)) AS summary_line (position, words)
    WHERE summary_line.words IS NOT NULL
    UNION ALL
    SELECT 3, format('  invoiced    %s %s = charged %s + unallocated %s + balance sheet %s + prepaid %s + unexplained %s', statement_currency,
                     money_text(coalesce(sum(minor_units), 0), minor_unit_digits),
                     money_text(coalesce(sum(minor_units) FILTER (WHERE line_type = 'charge'), 0), minor_unit_digits),
                     money_text(coalesce(sum(minor_units) FILTER (WHERE line_type = 'unallocated'), 0), minor_unit_digits),
                     money_text(coalesce(sum(minor_units) FILTER (WHERE line_type = 'balance sheet'), 0), minor_unit_digits),
                     money_text(coalesce(sum(minor_units) FILTER (WHERE line_type = 'prepaid'), 0), minor_unit_digits),
                     money_text(coalesce(sum(minor_units) FILTER (WHERE line_type = 'unexplained'), 0), minor_unit_digits))
    FROM wanted JOIN statement_sum USING (statement_month)
    WHERE block = 'invoice'
    GROUP BY statement_currency, minor_unit_digits
    UNION ALL
    SELECT 4, format('  adjustments %s %s of closed months: %s', statement_currency, money_text(sum(minor_units), minor_unit_digits),
                     string_agg(to_char(adjusted_month, 'YYYY-MM'), ', ' ORDER BY adjusted_month))
    FROM wanted
    JOIN (SELECT statement_month, adjusted_month, coalesce(sum(minor_units) FILTER (WHERE source IS NOT NULL), 0) AS minor_units
          FROM adjustment GROUP BY statement_month, adjusted_month) AS adjusted USING (statement_month)
    GROUP BY statement_currency, minor_unit_digits
    UNION ALL
    SELECT 4 + rank, format('  finding %s   %s', rank, finding)
    FROM wanted JOIN finding USING (statement_month)
    WHERE rank <= 3
    UNION ALL
    SELECT 50, format('  budgets     %s %s of %s spent, %s%s', statement_currency, money_text(coalesce(sum(spent_minor), 0), minor_unit_digits),
                      money_text(sum(standing.budget_minor), minor_unit_digits),
                      coalesce(money_text(sum(forecast_minor), minor_unit_digits) || ' by the month''s end', 'forecast not known'),
                      coalesce('; without a budget: ' || (SELECT string_agg(cost_centre, ', ' ORDER BY cost_centre COLLATE "C")
                                                           FROM budget_standing($1::date) WHERE budget_minor IS NULL), ''))
    FROM wanted JOIN budget_standing(statement_month) AS standing USING (minor_unit_digits, statement_currency)
    WHERE standing.budget_minor IS NOT NULL
    GROUP BY statement_currency, minor_unit_digits
    UNION ALL
    SELECT 51, format('  alert       %s: %s %s of %s, past %s %%%s', cost_centre, measure, money_text(amount_minor, minor_unit_digits),
                      money_text(budget_minor, minor_unit_digits), string_agg(trim_scale(threshold)::text, ', ' ORDER BY threshold),
                      CASE WHEN bool_and(noted) THEN '' ELSE ' (new)' END)
    FROM wanted CROSS JOIN budget_crossing(statement_month)
    JOIN budget_alert USING (statement_month, cost_centre, measure, threshold)
    GROUP BY cost_centre, measure, amount_minor, budget_minor, minor_unit_digits
    UNION ALL
    SELECT 52, format('  planned     above the limit or of unknown cost, to be approved: %s', string_agg(training, ', ' ORDER BY training COLLATE "C"))
    FROM wanted JOIN planned_training_cost USING (statement_month)
    WHERE approved_by IS NULL AND needs_approval(statement_month, cost_minor)
    HAVING count(*) > 0
    UNION ALL
    -- of each kind the first five, and how many more there are
    SELECT 100, CASE WHEN turn < 6 OR of_kind = 6 THEN format('  waiting     %s (%s): %s', kind, subject, note)
                     ELSE format('  waiting     %s: %s more, see sheet "Open items"', kind, of_kind - 5) END
    FROM (SELECT kind, subject, note, count(*) OVER one_kind AS of_kind,
                 row_number() OVER (one_kind ORDER BY subject COLLATE "C", note COLLATE "C") AS turn
          FROM wanted JOIN statement_note USING (statement_month)
          WHERE blocks_close
          WINDOW one_kind AS (PARTITION BY kind)) AS noted
    WHERE turn < 7
)
SELECT words FROM line ORDER BY position, words COLLATE "C";
