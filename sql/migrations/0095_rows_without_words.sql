-- A row of an attempt is about that attempt and, off the bill, the transfer in `pool`: it needs no key of words besides.
ALTER TABLE statement_row ALTER row_key DROP NOT NULL;
