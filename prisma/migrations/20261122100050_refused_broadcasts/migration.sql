-- When nodes began to refuse these bytes, how often since then, and when they are broadcast next: the pauses grow. A node that takes them
-- ends it.
ALTER TABLE signed_transactions
  ADD COLUMN refusals integer NOT NULL DEFAULT 0,
  ADD COLUMN refused_at timestamptz(3),
  ADD COLUMN next_broadcast_at timestamptz(3);
