-- The state of the journal that report/journal.sql has made: the posting keys of its documents
-- (null: a preview), the settings that it lacks, and the delimiter of its file.
SELECT (SELECT string_agg(posting_key, ', ' ORDER BY document_no) FROM report_journal_document) AS posting_keys, lacking,
       stated_setting_value(statement_month, 'journal_delimiter', ',') AS delimiter
FROM report_journal;
