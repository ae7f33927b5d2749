-- Until when a process posts an alarm, or reads a token's metadata, in real time. When they are due is business time, which a sandbox advances.
ALTER TABLE alarm_notices ADD COLUMN posting_until timestamptz(3);
ALTER TABLE items ADD COLUMN metadata_reading_until timestamptz(3);
