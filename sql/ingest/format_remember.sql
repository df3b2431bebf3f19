-- Remembers that files of source $1 and kind $2 are of format $3.
INSERT INTO detected_format (source, kind, format) VALUES ($1, $2, $3)
ON CONFLICT (source, kind) DO UPDATE SET format = excluded.format WHERE detected_format.format <> excluded.format;
