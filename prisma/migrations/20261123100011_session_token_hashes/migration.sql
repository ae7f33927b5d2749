-- Sessions are stored by a hash of their token, so that nobody can sign in with what is in a backup. Whoever is signed in stays so.
ALTER TABLE sessions ADD COLUMN token_hash bytea;
UPDATE sessions SET token_hash = sha256(convert_to(session_token, 'UTF8'));
-- safe: a trigger below fills it for processes that don't know it.
ALTER TABLE sessions ALTER COLUMN token_hash SET NOT NULL;
CREATE UNIQUE INDEX sessions_token_hash_key ON sessions (token_hash);

-- Web processes of release 0.1.0 that still run write the token itself. It is emptied here and by npm run upgrade -- --settle; nothing
-- else reads it, and a later release drops it.
-- safe: release 0.1.0 always writes the column, and finds a session by its value only.
ALTER TABLE sessions ALTER COLUMN session_token DROP NOT NULL;
UPDATE sessions SET session_token = NULL;

CREATE OR REPLACE FUNCTION hash_session_token() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  NEW.token_hash := sha256(convert_to(NEW.session_token, 'UTF8'));
  RETURN NEW;
END $$;
CREATE TRIGGER hash_session_token BEFORE INSERT ON sessions
  FOR EACH ROW WHEN (NEW.token_hash IS NULL AND NEW.session_token IS NOT NULL) EXECUTE FUNCTION hash_session_token();
