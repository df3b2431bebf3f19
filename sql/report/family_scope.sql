-- Which family the next queries show.
SELECT set_in_transaction('kstar.family', $1);
