-- The month whose settings and families count when somebody looks at the fits: that of the latest
-- statement, without one the current month.
SELECT set_config('kstar.replayed_month', '', true),
       set_config('kstar.statement_month', coalesce((SELECT max(statement_month) FROM statement), date_trunc('month', now())::date)::text, true);
