-- When the last successful night ended, in seconds since 1970; null: there was none.
SELECT floor(extract(epoch FROM max(ended_at)))::bigint FROM run_ledger WHERE command = 'nightly' AND exit_code IN (0, 4, 8);
