-- What was handed over of a charge that was taken back stays with its owner: a row Withdrawn says that he was told so (kstar deliver --told). It
-- has no version, SHA-256 '', so that the workbook is handed over again should the statement have it again.
ALTER TABLE handed_over DROP CONSTRAINT handed_over_status_check;
ALTER TABLE handed_over ADD CONSTRAINT handed_over_status_check CHECK (status IN ('Preliminary', 'Final', 'Withdrawn'));
