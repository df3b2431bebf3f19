-- Deletes the measurements of earlier deliveries of source $1 under label $2. A new delivery
-- replaces them.
DELETE FROM measurement
USING delivery
WHERE measurement.delivery_id = delivery.delivery_id
  AND delivery.kind = 'efficiency' AND delivery.source = $1 AND delivery.label = $2;
