-- The workbooks of the closed month $1 are in folder $2.
UPDATE closure SET written_to = $2 WHERE statement_month = $1::date;
