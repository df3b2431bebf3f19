-- Since 0062 the components of a heterogeneous job have one family and the wall-hours of one job. Months that were closed before charged them
-- apart, and stay so: else the first late cent of such a month moved the overhead of everybody.
ALTER TABLE closure ADD COLUMN components_are_apart boolean NOT NULL DEFAULT false;
UPDATE closure SET components_are_apart = true;
