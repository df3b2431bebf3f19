-- The parts of lines, as the merge makes them (allocate/part_rows.h).
CREATE TEMP TABLE line_part (
    file_id         integer NOT NULL,
    line_number     bigint NOT NULL,
    row_in_record   integer NOT NULL,
    class_id        bigint NOT NULL,
    charge_start    timestamptz NOT NULL,
    charge_end      timestamptz NOT NULL,
    line_billed     numeric NOT NULL, -- of the whole line
    line_effective  numeric NOT NULL,
    line_list       numeric NOT NULL,
    line_contracted numeric NOT NULL,
    rule            smallint NOT NULL,
    target          text NOT NULL,
    attempt_id      bigint,
    pool            text,
    cost_centre     text,
    reason          text,
    weight          numeric,          -- null: the part is the whole line
    weights         numeric,          -- of all parts of the line
    held_from       timestamptz,
    held_to         timestamptz,
    seconds         numeric,
    is_priced       boolean,
    billed_cost     numeric NOT NULL,
    effective_cost  numeric NOT NULL,
    list_cost       numeric NOT NULL,
    contracted_cost numeric NOT NULL
) ON COMMIT DROP;
