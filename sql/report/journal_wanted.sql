-- Which issue of the month report/journal.sql is to show; '': the one that its statement gives.
SELECT set_in_transaction('kstar.journal_issue', $1);
