-- A delivery that waits: source, label, SHA-256, billing period, reason, and the inbox in which it lies, or NULL.
INSERT INTO held_delivery (source, label, sha256, billing_period, reason, inbox)
VALUES ($1, $2, $3, $4, $5, $6)
ON CONFLICT (source, label) DO UPDATE
SET sha256 = excluded.sha256, billing_period = excluded.billing_period, reason = excluded.reason,
    inbox = coalesce(excluded.inbox, held_delivery.inbox);
