-- The billing period that starts at $1: its first day in the source's time zone $2.
SELECT ($1::timestamptz AT TIME ZONE $2)::date;
