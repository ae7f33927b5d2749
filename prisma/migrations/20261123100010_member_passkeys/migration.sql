-- The passkeys with which members sign in. They belong to a person, as sessions do.
CREATE TABLE "passkeys" (
    "id" UUID NOT NULL,
    "user_id" UUID NOT NULL,
    "name" TEXT NOT NULL,
    "credential_id" TEXT NOT NULL,
    "public_key" BYTEA NOT NULL,
    "counter" BIGINT NOT NULL CHECK (counter >= 0),
    "transports" TEXT[] NOT NULL DEFAULT '{}',
    "backed_up" BOOLEAN NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "last_used_at" TIMESTAMPTZ(3),

    CONSTRAINT "passkeys_pkey" PRIMARY KEY ("id"),
    CONSTRAINT "passkeys_user_id_fkey" FOREIGN KEY ("user_id") REFERENCES "users"("id") ON DELETE CASCADE ON UPDATE CASCADE
);
CREATE UNIQUE INDEX "passkeys_credential_id_key" ON "passkeys"("credential_id");
CREATE INDEX "passkeys_user_id_idx" ON "passkeys"("user_id");

-- What a browser's passkey is to sign next. A browser has one at a time, and it is deleted when an answer comes.
CREATE TABLE "passkey_challenges" (
    "browser_hash" BYTEA NOT NULL,
    "challenge" TEXT NOT NULL,
    "registers_for" UUID,
    "expires" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "passkey_challenges_pkey" PRIMARY KEY ("browser_hash"),
    CONSTRAINT "passkey_challenges_registers_for_fkey" FOREIGN KEY ("registers_for") REFERENCES "users"("id") ON DELETE CASCADE ON UPDATE CASCADE
);
CREATE INDEX "passkey_challenges_registers_for_idx" ON "passkey_challenges"("registers_for");
CREATE INDEX "passkey_challenges_expires_idx" ON "passkey_challenges"("expires");

GRANT SELECT, INSERT, UPDATE, DELETE ON passkeys, passkey_challenges TO vitrine_system;
ALTER TABLE passkeys ENABLE ROW LEVEL SECURITY;
ALTER TABLE passkeys FORCE ROW LEVEL SECURITY;
CREATE POLICY system ON passkeys TO vitrine_system USING (true) WITH CHECK (true);
ALTER TABLE passkey_challenges ENABLE ROW LEVEL SECURITY;
ALTER TABLE passkey_challenges FORCE ROW LEVEL SECURITY;
CREATE POLICY system ON passkey_challenges TO vitrine_system USING (true) WITH CHECK (true);

-- The passkey that made a session; null for other ways to sign in.
ALTER TABLE sessions
  ADD COLUMN passkey_id uuid,
  ADD CONSTRAINT sessions_passkey_id_fkey FOREIGN KEY (passkey_id) REFERENCES passkeys (id) ON DELETE SET NULL ON UPDATE CASCADE;
CREATE INDEX sessions_passkey_id_idx ON sessions (passkey_id);

-- Whether only sessions that a passkey made open an organization's dashboard.
ALTER TABLE organizations ADD COLUMN requires_passkeys boolean NOT NULL DEFAULT false;
