-- Which issue of the month report/journal.sql shows; '': the journal of the present statement.
SELECT set_in_transaction('kstar.journal_issue', $1);
