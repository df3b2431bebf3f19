-- Whether nothing was ever published here: a month whose bill was withdrawn was, and has no
-- statement any more.
SELECT NOT EXISTS (SELECT FROM statement)
   AND NOT EXISTS (SELECT FROM load JOIN current_load USING (load_id) WHERE row_count = 0);
