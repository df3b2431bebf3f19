-- A key that stands for two texts: the dimension, the key, the stored texts and those of this
-- delivery. There is normally no row: keys are 64 bits of a hash.
SELECT name, dimension_key, stored_dimension.texts, staged_dimension.texts
FROM staged_dimension
JOIN stored_dimension USING (dimension, dimension_key)
WHERE CASE WHEN dimension IN (7, 8) -- tags and columns: JSON, whatever its white space
           THEN staged_dimension.texts[1]::jsonb <> stored_dimension.texts[1]::jsonb
           ELSE staged_dimension.texts <> stored_dimension.texts END
ORDER BY name, dimension_key
LIMIT 1;
