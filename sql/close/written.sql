-- The workbooks of the closed month $1 are in folder $2, with its journal as of issue $3 (NULL:
-- none).
UPDATE closure SET written_to = $2, written_issue = $3::integer WHERE statement_month = $1::date;
