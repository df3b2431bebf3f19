-- When a night last came to a good end, in seconds since 1970; null: never.
SELECT floor(extract(epoch FROM max(ended_at)))::bigint FROM run_ledger WHERE command = 'nightly' AND exit_code IN (0, 4, 8);
