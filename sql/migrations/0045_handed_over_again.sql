-- A version of a workbook that comes back after another one is handed over again: what counts is the last that somebody was given.
ALTER TABLE handed_over ADD COLUMN handing integer; -- 1, 2 … of a month's workbook to a destination

UPDATE handed_over
SET handing = numbered.handing
FROM (SELECT statement_month, cost_centre, destination, sha256,
             row_number() OVER (PARTITION BY statement_month, cost_centre, destination ORDER BY handed_at, sha256) AS handing
      FROM handed_over) AS numbered
WHERE (handed_over.statement_month, handed_over.cost_centre, handed_over.destination, handed_over.sha256)
      = (numbered.statement_month, numbered.cost_centre, numbered.destination, numbered.sha256);

ALTER TABLE handed_over
    ALTER COLUMN handing SET NOT NULL,
    DROP CONSTRAINT handed_over_pkey,
    ADD PRIMARY KEY (statement_month, cost_centre, destination, handing);
