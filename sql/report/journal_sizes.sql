-- Sheet "Journal": how many rows its header has, and whether it has lines in another currency.
SELECT (SELECT count(*) FROM (SELECT company FROM report_journal
                              UNION
                              SELECT line.company FROM report_journal_line AS line JOIN report_journal USING (currency)) AS company),
       (SELECT count(*) FROM report_journal_line AS line CROSS JOIN report_journal WHERE line.currency <> report_journal.currency);
