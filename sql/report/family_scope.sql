-- Which family the next queries show.
SELECT set_config('kstar.family', $1, true);
