-- A revoked claim whose voucher is still out there may be minted all the same; when a reorg undoes that mint, it is revoked again.
ALTER TABLE email_claims ADD COLUMN revoked_at timestamptz(3);

-- Vouchers that may run out.
CREATE INDEX vouchers_running_out ON vouchers (network_id, expiry) WHERE state = 'PENDING';
