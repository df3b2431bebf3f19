-- All that a commitment's purchases bill was weighed as a prepayment where tax is split, month by month also what is used within the month: its
-- tax reached nobody, or piled up on an account that nothing releases. Months that were closed so stay so: a replay of theirs moves no tax for it.
ALTER TABLE closure ADD COLUMN purchases_are_prepaid boolean NOT NULL DEFAULT false;
UPDATE closure SET purchases_are_prepaid = true;
