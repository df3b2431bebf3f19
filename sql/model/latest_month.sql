-- The month whose settings and families are in force for a look at the fits: that of the latest
-- statement, else this one.
SELECT set_config('kstar.replayed_month', '', true),
       set_config('kstar.statement_month', coalesce((SELECT max(statement_month) FROM statement), date_trunc('month', now())::date)::text, true);
