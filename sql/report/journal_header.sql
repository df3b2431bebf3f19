-- Sheet "Journal": what the journal is, per company, in the statement's currency.
SELECT line.company, report_journal.currency, coalesce(journal_posting_key(line.company, statement_month, issue_number), 'none: preview') AS posting_key,
       kind, report_journal.accounting_date, report_journal.reversal_date, source, line.debit, line.credit,
       line.debit - line.credit AS difference, line.debit = line.credit AS balanced
FROM report_journal
CROSS JOIN LATERAL (SELECT company, coalesce(sum(minor_units) FILTER (WHERE minor_units > 0), 0)::bigint AS debit,
                           coalesce(-sum(minor_units) FILTER (WHERE minor_units < 0), 0)::bigint AS credit
                    FROM (SELECT company, currency, minor_units FROM report_journal_line
                          UNION ALL
                          SELECT report_journal.company, report_journal.currency, 0) AS booked
                    WHERE booked.currency = report_journal.currency
                    GROUP BY company) AS line
ORDER BY line.company COLLATE "C";
