-- The billing period that starts at $1: its first day. Midnight UTC begins that day, whatever the
-- source's time zone $2 is: there no period begins at that hour, and a date alone has no other.
-- Else it is the day in that zone.
SELECT CASE WHEN ($1::timestamptz AT TIME ZONE 'UTC')::time = '00:00' THEN ($1::timestamptz AT TIME ZONE 'UTC')::date
            ELSE ($1::timestamptz AT TIME ZONE $2)::date END;
