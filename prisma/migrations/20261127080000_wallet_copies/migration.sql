-- Keys of recipients' wallets, each sealed by a passkey that was added to the wallet. Nobody but that passkey opens them.
CREATE TABLE "wallet_copies" (
    "id" BYTEA NOT NULL,
    "address" TEXT NOT NULL,
    "place" SMALLINT NOT NULL,
    "sealed" BYTEA NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "wallet_copies_pkey" PRIMARY KEY ("id"),
    CONSTRAINT "wallet_copies_sizes" CHECK (octet_length(id) = 32 AND octet_length(sealed) = 60),
    CONSTRAINT "wallet_copies_place" CHECK (place BETWEEN 1 AND 10)
);
CREATE UNIQUE INDEX "wallet_copies_address_place_key" ON "wallet_copies"("address", "place");

GRANT SELECT, INSERT, UPDATE ON wallet_copies TO vitrine_system;
ALTER TABLE wallet_copies ENABLE ROW LEVEL SECURITY;
ALTER TABLE wallet_copies FORCE ROW LEVEL SECURITY;
CREATE POLICY system ON wallet_copies TO vitrine_system USING (true) WITH CHECK (true);
