-- The first day of the billing period that starts at $1. A start at midnight UTC is that day in any
-- time zone $2 of the source: a date alone is read as midnight UTC, and no period starts at the
-- hour that local clocks show then. Any other start is its day in the source's zone.
SELECT CASE WHEN ($1::timestamptz AT TIME ZONE 'UTC')::time = '00:00' THEN ($1::timestamptz AT TIME ZONE 'UTC')::date
            ELSE ($1::timestamptz AT TIME ZONE $2)::date END;
