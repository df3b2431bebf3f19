-- Sets the places whose lines are asked for: $1 is "{1,2}", or null for all. The steps up to the
-- merge then read only lines and jobs of these places.
SELECT set_config('kstar.asked_places', coalesce($1, ''), true);
