-- The document of one workbook.
INSERT INTO forecast_book VALUES ($1::jsonb);
