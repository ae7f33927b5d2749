-- When it was settled that the books had lost something. Null: the unknown transactions of the operator are still being read, or weren't ours.
ALTER TABLE recoveries ADD COLUMN lost_at timestamptz(3);
UPDATE recoveries SET lost_at = started_at;
