-- Records the outcome of a delivery in run $1: kind $2, source $3, label $4, outcome $5, files $6,
-- rows $7, quarantined $8, message $9.
INSERT INTO run_delivery (run_number, kind, source, label, outcome, files, rows, quarantined, message, bytes)
SELECT $1::bigint, $2, $3, $4, $5, $6::bigint, $7::bigint, $8::bigint, nullif($9, ''),
       CASE WHEN $5 = 'done'
            THEN (SELECT sum(bytes) FROM source_file
                  WHERE delivery_id = (SELECT max(delivery_id) FROM delivery WHERE kind = $2 AND source = $3 AND label = $4)) END;
