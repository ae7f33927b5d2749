-- The built-in card provider remembers what its payments were made with and which were disputed, and refunds that take their time.
ALTER TABLE sandbox_payment_intents ADD COLUMN disputed BOOLEAN NOT NULL DEFAULT false;
ALTER TABLE sandbox_payment_intents ADD COLUMN card TEXT;
ALTER TABLE sandbox_refunds ADD COLUMN metadata JSONB NOT NULL DEFAULT '{}';
ALTER TABLE sandbox_refunds ADD COLUMN settles_at TIMESTAMPTZ(3);
CREATE INDEX sandbox_payment_intents_disputes_due ON sandbox_payment_intents (disputes_at) WHERE disputes_at IS NOT NULL;

-- Nothing real is ever paid with the built-in provider.
ALTER TABLE payment_integrations ADD CONSTRAINT payment_integrations_sandbox_is_test CHECK (adapter <> 'SANDBOX' OR mode = 'TEST');
ALTER TABLE payments ADD CONSTRAINT payments_sandbox_is_test CHECK (adapter <> 'SANDBOX' OR mode = 'TEST');

-- Refunds that wait for another try.
CREATE INDEX payments_refunds_due ON payments (next_refund_at) WHERE state = 'REFUNDING';
