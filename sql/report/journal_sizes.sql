-- Sheet "Journal": rows of its header, lines in the statement's currency and in another one; and the settings that it lacks.
SELECT (SELECT count(*) FROM report_journal_document AS document WHERE document.currency = report_journal.currency),
       (SELECT count(*) FROM report_journal_line AS line WHERE line.currency = report_journal.currency),
       (SELECT count(*) FROM report_journal_line AS line WHERE line.currency <> report_journal.currency),
       lacking
FROM report_journal;
