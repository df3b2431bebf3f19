-- A K above the largest one measured is fitted, with low confidence. "extrapolated" is what a verdict calls a K beyond
-- twice that size; months that were published before keep the word.
ALTER TABLE family_rate DROP CONSTRAINT family_rate_basis_check;
ALTER TABLE family_rate ADD CONSTRAINT family_rate_basis_check
    CHECK (basis IN ('measured', 'fitted', 'fitted, low confidence', 'extrapolated'));
