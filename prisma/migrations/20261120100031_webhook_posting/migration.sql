-- A delivery that is being posted is told apart from one that waits: the latter can be tried at once when somebody asks.
ALTER TABLE webhook_deliveries ADD COLUMN posting_until timestamptz(3);
