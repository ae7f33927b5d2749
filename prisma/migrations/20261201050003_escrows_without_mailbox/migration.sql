-- The mailbox of an escrow that was lost with newer rows of the database is unknown: such a token is held until a person says where it goes.
ALTER TABLE escrows ALTER COLUMN email DROP NOT NULL;
ALTER TABLE escrows ADD CONSTRAINT escrows_mailbox CHECK (email IS NOT NULL OR state NOT IN ('WAITING', 'OFFERED')) NOT VALID;
