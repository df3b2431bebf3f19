-- The workbooks of a closed month were written once and then left alone: a journal that was issued after that stood in them as a preview for ever.
-- Those that were written until now stay as they are; kstar report chargeback writes them again.
ALTER TABLE closure ADD COLUMN written_issue integer; -- the last issue of its journal when they were written; null: there was none
UPDATE closure
SET written_issue = (SELECT max(issue_number) FROM journal_issue WHERE journal_issue.statement_month = closure.statement_month)
WHERE written_to IS NOT NULL;
