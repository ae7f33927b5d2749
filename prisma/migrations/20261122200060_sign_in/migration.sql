-- When a session was signed in, and by what. Sessions from before count as old: they last 30 days.
ALTER TABLE sessions
  ADD COLUMN created_at timestamptz(3) NOT NULL DEFAULT now(),
  ADD COLUMN last_used_at timestamptz(3),
  ADD COLUMN client_address text,
  ADD COLUMN user_agent text;
UPDATE sessions SET created_at = least(now(), expires) - interval '31 days';

CREATE INDEX sessions_user_id_idx ON sessions (user_id);
CREATE INDEX sessions_expires_idx ON sessions (expires);
CREATE INDEX verification_tokens_expires_idx ON verification_tokens (expires);

-- For the limit of sign-in mails to one mailbox.
CREATE INDEX outbox_messages_sign_in ON outbox_messages (to_email, created_at) WHERE template_type = 'SIGN_IN';
