-- Sessions are stored by a hash of their token, so that nobody can sign in with what is in a backup. Whoever is signed in stays so.
ALTER TABLE sessions ADD COLUMN token_hash bytea;
UPDATE sessions SET token_hash = sha256(convert_to(session_token, 'UTF8'));
ALTER TABLE sessions ALTER COLUMN token_hash SET NOT NULL;
CREATE UNIQUE INDEX sessions_token_hash_key ON sessions (token_hash);
ALTER TABLE sessions DROP COLUMN session_token;
