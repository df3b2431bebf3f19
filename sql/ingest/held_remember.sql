-- Records a held delivery: source, label, SHA-256, the billing periods that stay open, the reason,
-- its inbox or NULL, with which commands a person answers, and whether the question is if lines
-- have moved.
INSERT INTO held_delivery (source, label, sha256, billing_periods, reason, inbox, answers, asks_if_moved)
VALUES ($1, $2, $3, string_to_array($4, ' ')::date[], $5, $6, $7, $8)
ON CONFLICT (source, label) DO UPDATE
SET sha256 = excluded.sha256, billing_periods = excluded.billing_periods, reason = excluded.reason,
    inbox = coalesce(excluded.inbox, held_delivery.inbox), answers = excluded.answers, asks_if_moved = excluded.asks_if_moved;
