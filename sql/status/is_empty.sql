-- Whether nothing was ever published here. A month whose bill was withdrawn was published, although
-- it has no statement any more: its current load has no lines.
SELECT NOT EXISTS (SELECT FROM statement)
   AND NOT EXISTS (SELECT FROM load JOIN current_load USING (load_id) WHERE row_count = 0);
