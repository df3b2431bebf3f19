-- Remembers that files of source $1 and kind $2 are of format $3, as those of label $4 showed.
INSERT INTO detected_format (source, kind, format, label) VALUES ($1, $2, $3, $4)
ON CONFLICT (source, kind) DO UPDATE SET format = excluded.format, label = excluded.label WHERE detected_format.format <> excluded.format;
