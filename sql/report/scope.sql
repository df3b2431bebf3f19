-- Whose rows the next queries show: the month and, unless '', one cost centre's.
SELECT set_config('kstar.statement_month', $1, true), set_config('kstar.cost_centre', $2, true);
