-- What was issued, of month $1 ("2026-09") or, NULL, of all: the latest first.
SELECT to_char(statement_month, 'YYYY-MM')                               AS "month",
       journal_posting_key(company, statement_month, issue_number)       AS "posting_key",
       kind                                                              AS "kind",
       to_char(accounting_date, 'YYYY-MM-DD')                            AS "accounting_date",
       coalesce(to_char(reversal_date, 'YYYY-MM-DD'), '')                AS "reversal_date",
       coalesce(lines, 0)                                                AS "lines",
       coalesce(total, '')                                               AS "control_total",
       source                                                            AS "source"
FROM journal_issue
LEFT JOIN (SELECT statement_month, issue_number, sum(lines)::bigint AS lines,
                  string_agg(currency || ' ' || total, ', ' ORDER BY currency) AS total
           FROM (SELECT statement_month, issue_number, currency, count(*) AS lines,
                        money_text(sum(minor_units) FILTER (WHERE minor_units > 0), max(minor_unit_digits)) AS total
                 FROM journal_line
                 GROUP BY statement_month, issue_number, currency) AS by_currency
           GROUP BY statement_month, issue_number) AS booked USING (statement_month, issue_number)
WHERE $1::text IS NULL OR statement_month = ($1 || '-01')::date
ORDER BY statement_month DESC, issue_number DESC;
