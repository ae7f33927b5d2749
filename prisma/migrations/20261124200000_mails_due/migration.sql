-- When a mail is sent or tried again. Null: a job of the release before sends it.
ALTER TABLE outbox_messages ADD COLUMN next_at timestamptz(3), ADD COLUMN urgent boolean NOT NULL DEFAULT false;
