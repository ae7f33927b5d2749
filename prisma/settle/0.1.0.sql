-- What processes of release 0.1.0 wrote after the database had been migrated, in the form that later releases read. Every statement changes only
-- rows that lack it, so this may run at any time and again. Writers wait while it runs.
LOCK TABLE purchase_intents, payments, listing_buyers, item_history IN SHARE ROW EXCLUSIVE MODE;

-- They refund payments and purchases as a whole only.
UPDATE purchase_intents SET refunded_quantity = quantity WHERE status = 'REFUNDED' AND refunded_quantity = 0;
UPDATE payments SET refunded_minor = amount_minor WHERE state = 'REFUNDED' AND refunded_minor = 0;

-- They store no mailbox and no network of a buyer. As the migration unproved_buyers folds them.
UPDATE purchase_intents SET buyer_mailbox = CASE
    WHEN lower(split_part(buyer_email, '@', 2)) IN ('gmail.com', 'googlemail.com')
      THEN replace(split_part(lower(split_part(buyer_email, '@', 1)), '+', 1), '.', '') || '@gmail.com'
    WHEN lower(split_part(buyer_email, '@', 2)) IN ('outlook.com', 'hotmail.com', 'live.com', 'msn.com', 'icloud.com', 'me.com', 'mac.com',
        'fastmail.com', 'fastmail.fm', 'proton.me', 'protonmail.com', 'pm.me')
      THEN split_part(lower(split_part(buyer_email, '@', 1)), '+', 1) || '@' || lower(split_part(buyer_email, '@', 2))
    ELSE lower(buyer_email) END
  WHERE buyer_email IS NOT NULL AND buyer_mailbox IS NULL;
UPDATE purchase_intents SET client_network = CASE
    WHEN family(client_address::inet) = 6 THEN text(network(set_masklen(client_address::inet, 64)))
    ELSE client_address END
  WHERE status = 'PENDING' AND client_network IS NULL AND client_address ~ '^[0-9a-f.:]+$';

-- They count open purchases too, and by the address as it was typed.
CREATE TEMPORARY TABLE bought ON COMMIT DROP AS
  SELECT organization_id, listing_id, kind, identity, sum(quantity) AS quantity FROM purchase_intents,
    LATERAL (VALUES ('EMAIL'::"IdentityKind", buyer_mailbox), ('ADDRESS'::"IdentityKind", buyer_address)) who(kind, identity)
  WHERE units_state = 'CONFIRMED' AND identity IS NOT NULL GROUP BY 1, 2, 3, 4;
DELETE FROM listing_buyers b WHERE NOT EXISTS (
  SELECT 1 FROM bought WHERE bought.listing_id = b.listing_id AND bought.kind = b.kind AND bought.identity = b.identity AND bought.quantity = b.quantity);
INSERT INTO listing_buyers (organization_id, listing_id, kind, identity, quantity) SELECT * FROM bought ON CONFLICT DO NOTHING;

-- They enter a mint by a voucher without naming the voucher.
UPDATE item_history h SET voucher_id = pair.voucher_id
FROM (
  SELECT m.id, v.id AS voucher_id
  FROM (SELECT *, row_number() OVER (PARTITION BY item_id, tx_hash, to_address, quantity ORDER BY id) AS place
        FROM item_history WHERE type = 'MINT' AND voucher_id IS NULL) m
  JOIN (SELECT *, row_number() OVER (PARTITION BY item_id, tx_hash, minter, quantity ORDER BY nonce) AS place
        FROM vouchers v WHERE state = 'REDEEMED' AND NOT EXISTS (SELECT 1 FROM item_history known WHERE known.voucher_id = v.id)) v
    ON v.item_id = m.item_id AND v.tx_hash = m.tx_hash AND v.minter = m.to_address AND v.quantity = m.quantity AND v.place = m.place
) pair
WHERE h.id = pair.id;

-- They store the token of a session itself.
UPDATE sessions SET session_token = NULL WHERE session_token IS NOT NULL;

-- They don't store how many holders a snapshot has.
UPDATE snapshots s SET holder_count = (SELECT count(*) FROM snapshot_holders h WHERE h.snapshot_id = s.id)
  WHERE ready_at IS NOT NULL AND holder_count IS NULL;
