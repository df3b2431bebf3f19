-- What a forecast's workbook shows (forecast/forecast_book.h), as one JSON document: its sheets
-- read lists of it. A READ ONLY transaction may fill a temporary table but not create one, so the
-- table is created before it.
CREATE TEMP TABLE IF NOT EXISTS forecast_book (
    content jsonb NOT NULL
) ON COMMIT DELETE ROWS;
