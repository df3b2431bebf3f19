-- A row that could not be read had lost its commitment: what it was billed before or after its use was unexplained, which no month can be closed
-- with. Rows that were kept aside until now have none until their bill is delivered again.
ALTER TABLE rejected_row ADD COLUMN commitment_discount_id text; -- of a bill, where readable
