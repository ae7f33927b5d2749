-- When the recipient declined a claim, which is revoked then. Null: nobody did.
ALTER TABLE email_claims ADD COLUMN declined_at timestamptz(3);
