-- Since when a waiting transaction is passed over: it costs more than the operator's balance, or what is left of the gas budget. Null while it isn't.
ALTER TABLE transactions ADD COLUMN passed_over_at timestamptz(3);
