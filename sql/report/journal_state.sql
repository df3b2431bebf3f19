-- What the journal is that report/journal.sql has made: its posting key (null: a preview), the settings that it lacks, and the
-- delimiter of its file.
SELECT journal_posting_key(company, statement_month, issue_number) AS posting_key, lacking,
       stated_setting_value(statement_month, 'journal_delimiter', ',') AS delimiter
FROM report_journal;
