-- When a mail was first tried, from which it is given up after some days. Null, and tried before this column was there: when it was written.
ALTER TABLE outbox_messages ADD COLUMN first_tried_at timestamptz(3);
