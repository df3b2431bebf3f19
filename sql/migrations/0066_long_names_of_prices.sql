-- The key of statement_price had the texts of the bill in it, and an entry of an index is a third of a page at most: a ServiceName or
-- CommitmentDiscountId of 3,000 letters, which a field may hold, stopped every statement of its month. Their hashes tell the rows apart.
ALTER TABLE statement_price DROP CONSTRAINT statement_price_pkey;
CREATE UNIQUE INDEX statement_price_row
    ON statement_price (statement_month, cost_centre, invoice_key, block, md5(service_name), md5(commitment), pricing);
