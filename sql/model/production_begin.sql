-- The runs of series that were measured in production, each the steady value of a job, for
-- measurements.sql.
CREATE TEMP TABLE production_run (
    family          text NOT NULL,
    scaling         text NOT NULL,
    metric          text NOT NULL,
    accelerator     text NOT NULL,
    precision_name  text NOT NULL,
    batch           text NOT NULL,
    model           text NOT NULL,
    sequence_length text NOT NULL,
    software        text NOT NULL,
    origin          text NOT NULL, -- 'production', or 'confirmed': a controlled run agrees
    k               integer NOT NULL,
    value           double precision NOT NULL
) ON COMMIT DROP;
