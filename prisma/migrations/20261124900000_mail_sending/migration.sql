-- Until when a process is sending a mail, in real time. When a mail is due is business time, which a sandbox advances.
ALTER TABLE outbox_messages ADD COLUMN sending_until timestamptz(3);
