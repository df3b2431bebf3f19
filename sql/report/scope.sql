-- Whose rows the next queries show: the month and, unless '', one cost centre's.
SELECT set_in_transaction('kstar.statement_month', $1), set_in_transaction('kstar.cost_centre', $2);
