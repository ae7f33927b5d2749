-- A purchase of which a part can't be delivered is refunded in part. How many of its units were refunded; all of them in a refunded one.
ALTER TABLE purchase_intents ADD COLUMN refunded_quantity bigint NOT NULL DEFAULT 0;
-- What was refunded so far, as the provider says, and what the refund under way is for; null: for all that is left.
ALTER TABLE payments ADD COLUMN refunded_minor bigint NOT NULL DEFAULT 0, ADD COLUMN refund_minor bigint;

-- Forced row-level security hides all rows from the owner of the tables too.
ALTER TABLE purchase_intents NO FORCE ROW LEVEL SECURITY;
ALTER TABLE payments NO FORCE ROW LEVEL SECURITY;
UPDATE purchase_intents SET refunded_quantity = quantity WHERE status = 'REFUNDED';
UPDATE payments SET refunded_minor = amount_minor WHERE state = 'REFUNDED';
ALTER TABLE purchase_intents FORCE ROW LEVEL SECURITY;
ALTER TABLE payments FORCE ROW LEVEL SECURITY;

ALTER TABLE purchase_intents ADD CONSTRAINT purchase_intents_refunded_within_quantity CHECK (refunded_quantity BETWEEN 0 AND quantity);
ALTER TABLE payments ADD CONSTRAINT payments_refunds_sane CHECK (refunded_minor BETWEEN 0 AND amount_minor AND (refund_minor IS NULL OR refund_minor BETWEEN 1 AND amount_minor));
