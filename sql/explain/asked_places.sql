-- The places whose lines are asked for, $1: "{1,2}", null for all. The steps up to the merge read
-- lines and jobs of these alone.
SELECT set_config('kstar.asked_places', coalesce($1, ''), true);
