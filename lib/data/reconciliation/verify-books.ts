import { Prisma } from '../../../generated/prisma/client.ts'
import type { SystemContext } from '../../platform/auth/context.ts'
import type { Finding } from './finding.ts'
import { FIGURES } from './verify-figures.ts'

/**
 * Pairs of records that must agree. Each statement returns the rows that don't, and reads each table once: there may be
 * millions of rows.
 */
const CHECKS: Record<string, Prisma.Sql> = {
  'an item’s counters are its holds': Prisma.sql`
    SELECT i.id::text AS subject,
      format('held %s, minting %s; its holds say %s and %s', i.held, i.minting, coalesce(h.held, 0),
        coalesce(h.minting, 0)) AS detail
    FROM items i LEFT JOIN (
      SELECT item_id, sum(quantity) AS held, sum(quantity) FILTER (WHERE holder_type = 'MINT_REQUEST') AS minting
      FROM holds WHERE state = 'HELD' GROUP BY item_id) h ON h.item_id = i.id
    WHERE i.held <> coalesce(h.held, 0) OR i.minting <> coalesce(h.minting, 0)`,
  'an item’s mints are the chain’s logs': Prisma.sql`
    SELECT i.id::text AS subject,
      format('minted %s, burned %s; its history says %s and %s', i.minted, i.burned, coalesce(h.minted, 0),
        coalesce(h.burned, 0)) AS detail
    FROM items i LEFT JOIN (
      SELECT item_id, sum(quantity) FILTER (WHERE type = 'MINT') AS minted,
        sum(quantity) FILTER (WHERE type = 'BURN') AS burned
      FROM item_history GROUP BY item_id) h ON h.item_id = i.id
    WHERE i.minted <> coalesce(h.minted, 0) OR i.burned <> coalesce(h.burned, 0)`,
  'an item’s units are with its owners': Prisma.sql`
    SELECT i.id::text AS subject,
      format('minted %s, burned %s; its owners have %s', i.minted, i.burned, coalesce(o.units, 0)) AS detail
    FROM items i JOIN collections c ON c.id = i.collection_id
    LEFT JOIN (SELECT item_id, sum(quantity) AS units FROM item_owners GROUP BY item_id) o ON o.item_id = i.id
    WHERE c.deployment_type = 'PLATFORM' AND i.minted - i.burned <> coalesce(o.units, 0)`,
  'an item’s state is what its counters say': Prisma.sql`
    SELECT id::text AS subject, format('%s and %s; its counters say %s and %s', coalesce(token_status, 'nothing'),
      CASE WHEN is_free THEN 'free' ELSE 'not free' END, token_status(minted, minting, burned),
      CASE WHEN is_free_item(locked_at, minted, held) THEN 'free' ELSE 'not free' END) AS detail
    FROM items WHERE is_free IS DISTINCT FROM is_free_item(locked_at, minted, held)
      OR token_status IS DISTINCT FROM token_status(minted, minting, burned)`,
  'minted and held units stay within the supply': Prisma.sql`
    SELECT i.id::text AS subject,
      format('minted %s, of which %s in custody, and held %s of %s', minted, kept_units(i), held, max_supply) AS detail
    FROM items i WHERE max_supply IS NOT NULL AND held > 0 AND minted - kept_units(i) + held > max_supply`,
  'a token in custody is owned by its custodian': Prisma.sql`
    SELECT i.id::text AS subject, format('custodian %s; its owners and our operators say %s',
        coalesce(i.kept_by, 'nobody'), coalesce(o.address, 'nobody')) AS detail
    FROM items i LEFT JOIN (
      SELECT w.item_id, min(w.address) AS address FROM item_owners w JOIN items x ON x.id = w.item_id
        JOIN collections c ON c.id = x.collection_id
      JOIN operator_lanes l ON l.network_id = c.network_id AND l.operator = w.address
      WHERE w.quantity = 1 AND c.token_type = 'ERC721' AND c.deployment_type = 'PLATFORM' AND NOT c.soulbound
      GROUP BY 1) o ON o.item_id = i.id
    WHERE i.kept_by IS DISTINCT FROM o.address`,
  'a pool is what its collection’s items leave': Prisma.sql`
    SELECT c.id::text AS subject, format('pool %s held of %s free; holds and items say %s of %s', c.pool_held,
        c.pool_free, h.held, i.free) AS detail
    FROM collections c
    LEFT JOIN LATERAL (SELECT coalesce(sum(quantity), 0) AS held FROM holds
        WHERE collection_id = c.id AND item_id IS NULL AND state = 'HELD') h ON true
    LEFT JOIN LATERAL (SELECT coalesce(sum(free_units(x)), 0) AS free FROM items x
        WHERE x.collection_id = c.id) i ON true
    WHERE c.pool_held <> h.held OR c.pool_free <> i.free`,
  'a listing’s counters are its purchases': Prisma.sql`
    SELECT l.id::text AS subject, format('open %s, confirmed %s; its purchases say %s and %s', l.quantity_open,
        l.quantity_confirmed, p.open, p.confirmed) AS detail
    FROM listings l LEFT JOIN LATERAL (
      SELECT coalesce(sum(quantity) FILTER (WHERE units_state = 'OPEN'), 0) AS open,
        coalesce(sum(quantity) FILTER (WHERE units_state = 'CONFIRMED'), 0) AS confirmed
      FROM purchase_intents WHERE listing_id = l.id) p ON true
    WHERE l.quantity_open <> p.open OR l.quantity_confirmed <> p.confirmed`,
  'a listing on sale holds what it can still sell': Prisma.sql`
    SELECT l.id::text AS subject,
      format('%s to sell, %s held', l.quantity_listed - l.quantity_open - l.quantity_confirmed, h.held) AS detail
    FROM listings l LEFT JOIN LATERAL (
      SELECT coalesce(sum(quantity), 0) AS held, coalesce(bool_or(state = 'EXCEPTION'), false) AS lost
      FROM holds WHERE holder_type = 'LISTING' AND holder_id = l.id AND state IN ('HELD', 'EXCEPTION')) h ON true
    WHERE NOT h.lost AND h.held <> CASE WHEN l.status IN ('ACTIVE', 'SCHEDULED')
      THEN l.quantity_listed - l.quantity_open - l.quantity_confirmed ELSE 0 END`,
  'a buyer’s count is what they bought': Prisma.sql`
    SELECT format('%s %s', b.listing_id, b.identity) AS subject,
      format('counted %s, bought %s', b.quantity, coalesce(p.bought, 0)) AS detail
    FROM listing_buyers b LEFT JOIN (
      SELECT i.listing_id, who.kind, who.identity, sum(i.quantity) AS bought
      FROM purchase_intents i
        CROSS JOIN LATERAL (VALUES ('EMAIL', i.buyer_mailbox), ('ADDRESS', i.buyer_address)) who(kind, identity)
      WHERE i.units_state = 'CONFIRMED' GROUP BY 1, 2, 3) p
    ON p.listing_id = b.listing_id AND p.kind = b.kind::text AND p.identity = b.identity
    WHERE b.quantity <> coalesce(p.bought, 0)`,
  'a purchase that counts has its units, one that doesn’t has none': Prisma.sql`
    SELECT i.id::text AS subject,
      format('%s units, %s; %s held for it', i.quantity, lower(i.units_state::text), coalesce(h.kept, 0)) AS detail
    FROM purchase_intents i LEFT JOIN (
      SELECT holder.intent_id, sum(h.quantity) FILTER (WHERE h.state <> 'RELEASED') AS kept,
        sum(h.quantity) FILTER (WHERE h.state = 'HELD') AS held
      FROM (
        SELECT 'PURCHASE' AS kind, id, id AS intent_id FROM purchase_intents
        UNION SELECT 'CLAIM', id, purchase_intent_id FROM email_claims
        UNION SELECT 'MINT_REQUEST', id, purchase_intent_id FROM mint_requests
        UNION SELECT 'MINT_REQUEST', m.id, e.purchase_intent_id
        FROM mint_requests m JOIN email_claims e ON e.id = m.claim_id) holder
      JOIN holds h ON h.holder_id = holder.id AND h.holder_type::text = holder.kind
      WHERE holder.intent_id IS NOT NULL GROUP BY 1) h ON h.intent_id = i.id
    WHERE i.status <> 'UNRESOLVED' AND ((i.units_state = 'RETURNED' AND h.held > 0)
      OR (i.units_state <> 'RETURNED' AND coalesce(h.kept, 0) <> i.quantity
        AND NOT (i.fulfillment_status = 'COMPLETED' AND coalesce(h.kept, 0) < i.quantity)))`,
  'a purchase’s money is where its status says': Prisma.sql`
    SELECT i.id::text AS subject,
      format('the purchase is %s, its payment %s', i.status, coalesce(p.state::text, 'not there')) AS detail
    FROM purchase_intents i LEFT JOIN payments p ON p.intent_id = i.id AND p.state <> 'CANCELLED'
    WHERE i.provider = 'CARD_PROVIDER' AND NOT CASE i.status::text
      WHEN 'PENDING' THEN coalesce(p.state::text, '') IN ('CREATING', 'OPEN', 'CANCELLING')
      WHEN 'CONFIRMED' THEN coalesce(p.state::text, '') IN ('SUCCEEDED', 'REFUNDING')
      WHEN 'REFUNDED' THEN coalesce(p.state::text, '') = 'REFUNDED'
      WHEN 'UNRESOLVED' THEN coalesce(p.state::text, '') IN ('CANCELLING', 'SUCCEEDED', 'REFUNDING', 'DISPUTED')
      ELSE coalesce(p.state::text, 'REFUNDING') = 'REFUNDING' END`,
  'a payment is for the price': Prisma.sql`
    SELECT p.id::text AS subject, format('%s instead of %s', p.amount_minor, i.total) AS detail
    FROM payments p JOIN purchase_intents i ON i.id = p.intent_id
    WHERE p.amount_minor <> i.total OR p.currency <> i.currency`,
  'a payment agrees with the sandbox provider’s': Prisma.sql`
    SELECT p.id::text AS subject,
      format('we say %s, the provider %s with %s refunded', p.state, s.status, s.amount_refunded) AS detail
    FROM payments p JOIN sandbox_payment_intents s ON s.id = p.provider_id
    WHERE p.adapter = 'SANDBOX'
      AND (((s.status = 'succeeded') <> (p.state IN ('SUCCEEDED', 'REFUNDING', 'REFUNDED', 'DISPUTED'))
          AND NOT (p.state = 'CANCELLING'
            AND EXISTS (SELECT 1 FROM purchase_intents i WHERE i.id = p.intent_id AND i.status = 'UNRESOLVED')))
      OR (p.state = 'REFUNDED') <> (s.amount_refunded = s.amount)
      OR s.amount_refunded NOT IN (p.refunded_minor, p.refunded_minor + CASE
        WHEN p.state = 'REFUNDING' THEN coalesce(p.refund_minor, p.amount_minor - p.refunded_minor) ELSE 0 END))`,
  'every paid payment of the sandbox provider is known here': Prisma.sql`
    SELECT s.id AS subject,
      format('%s of %s %s was paid there and is unknown here', s.amount_received, s.amount, s.currency) AS detail
    FROM sandbox_payment_intents s
    WHERE s.status = 'succeeded' AND EXISTS (SELECT 1 FROM payments q WHERE q.account_id = s.account_id)
      AND NOT EXISTS (SELECT 1 FROM payments p WHERE p.provider_id = s.id)
      AND NOT EXISTS (SELECT 1 FROM lost_payments t WHERE t.provider_id = s.id)`,
  'a confirmed purchase is delivered, in delivery or in exception': Prisma.sql`
    SELECT i.id::text AS subject, format('%s and %s', i.status, i.fulfillment_status) AS detail
    FROM purchase_intents i WHERE i.status = 'CONFIRMED' AND NOT CASE i.fulfillment_status::text
      WHEN 'COMPLETED' THEN true
      WHEN 'EXCEPTION' THEN true
      WHEN 'ASSIGNED' THEN EXISTS (SELECT 1 FROM email_claims e WHERE e.purchase_intent_id = i.id)
        OR EXISTS (SELECT 1 FROM mint_requests m WHERE m.purchase_intent_id = i.id)
        OR EXISTS (SELECT 1 FROM vouchers v WHERE v.purchase_intent_id = i.id)
      ELSE i.confirmed_at > now() - interval '10 minutes' END`,
  'nothing is delivered twice': Prisma.sql`
    SELECT purchase_intent_id::text AS subject, format('%s mints of item %s', count(*), item_id) AS detail
    FROM mint_requests WHERE purchase_intent_id IS NOT NULL AND state IN ('WAITING', 'SUBMITTED', 'COMPLETED')
    GROUP BY purchase_intent_id, item_id HAVING count(*) > 1`,
  'a mint request is live unless it ended without a mint': Prisma.sql`
    SELECT id::text AS subject, format('%s and %s', state, CASE WHEN is_live THEN 'live' ELSE 'not live' END) AS detail
    FROM mint_requests WHERE is_live <> is_live_mint(state)`,
  'a completed mint is in the chain’s history': Prisma.sql`
    SELECT m.id::text AS subject, format('completed in %s, which is not in the history', m.tx_hash) AS detail
    FROM mint_requests m JOIN collections c ON c.id = m.collection_id
      JOIN chain_cursors k ON k.network_id = c.network_id
    JOIN transactions t ON t.id = m.transaction_id
    WHERE m.state = 'COMPLETED' AND t.block_number <= k.number AND c.following
      AND NOT EXISTS (SELECT 1 FROM item_history h WHERE h.item_id = m.item_id
        AND h.type = CASE WHEN t.tx_type = 'TRANSFER_TOKEN' THEN 'TRANSFER' ELSE 'MINT' END::"HistoryType"
        AND h.tx_hash = m.tx_hash)`,
  'a mint that failed gave nothing': Prisma.sql`
    SELECT m.id::text AS subject,
      format('%s, and the chain gave its %s of item %s to %s', m.state, m.quantity, m.item_id, m.to_address) AS detail
    FROM mint_requests m
    WHERE m.state IN ('FAILED', 'CANCELLED') AND (
      EXISTS (SELECT 1 FROM holds h
        WHERE h.holder_type = 'MINT_REQUEST' AND h.holder_id = m.id AND h.state = 'CONSUMED')
      OR EXISTS (
        SELECT 1 FROM signed_transactions s JOIN item_history h ON h.network_id = s.network_id AND h.tx_hash = s.hash
        WHERE s.transaction_id = ANY(m.past_transaction_ids || m.transaction_id) AND m.id = ANY(s.mint_request_ids)
          AND h.item_id = m.item_id AND h.to_address = m.to_address AND h.quantity = m.quantity AND h.hold_id IS NULL
          AND h.voucher_id IS NULL))`,
  'a purchase whose units returned was given none': Prisma.sql`
    SELECT i.id::text AS subject, format('%s, and %s units of it were given', i.status, h.given) AS detail
    FROM purchase_intents i JOIN (
      SELECT holder.intent_id, sum(h.quantity) AS given
      FROM (
        SELECT 'PURCHASE' AS kind, id, id AS intent_id FROM purchase_intents
        UNION SELECT 'CLAIM', id, purchase_intent_id FROM email_claims
        UNION SELECT 'MINT_REQUEST', id, purchase_intent_id FROM mint_requests
        UNION SELECT 'MINT_REQUEST', m.id, e.purchase_intent_id
        FROM mint_requests m JOIN email_claims e ON e.id = m.claim_id) holder
      JOIN holds h ON h.holder_id = holder.id AND h.holder_type::text = holder.kind AND h.state = 'CONSUMED'
      WHERE holder.intent_id IS NOT NULL GROUP BY 1) h ON h.intent_id = i.id
    WHERE i.units_state = 'RETURNED'`,
  'a signed transfer is where its transaction says': Prisma.sql`
    SELECT s.id::text AS subject, format('the transfer is %s, its transaction %s%s', s.state, t.state,
        coalesce(' with ' || t.on_chain_status, '')) AS detail
    FROM signed_transfers s JOIN transactions t ON t.id = s.transaction_id
    WHERE t.tx_type <> 'SIGNED_TRANSFER' OR NOT CASE s.state::text
      WHEN 'PENDING' THEN t.state = 'PENDING'
      WHEN 'SUBMITTED' THEN t.state = 'SUBMITTED'
        OR (t.state = 'COMPLETED' AND t.on_chain_status = 'FAILURE' AND t.final_at IS NULL)
      WHEN 'COMPLETED' THEN t.state = 'CANCELLED'
        OR (t.state = 'COMPLETED' AND (t.on_chain_status = 'FAILURE' OR t.tx_hash = s.tx_hash))
      ELSE t.state IN ('FAILED', 'CANCELLED') OR (t.state = 'COMPLETED' AND t.on_chain_status = 'FAILURE')
        OR (t.state = 'SUBMITTED' AND t.cancel_requested_at IS NOT NULL) END`,
  'a perk’s counts are its codes': Prisma.sql`
    SELECT p.id::text AS subject, format('%s codes, %s given; its rows say %s and %s', p.code_count, p.given_count,
        coalesce(k.codes, 0), coalesce(k.given, 0)) AS detail
    FROM perks p LEFT JOIN (SELECT perk_id, count(*) AS codes, count(item_id) AS given FROM perk_codes
        GROUP BY perk_id) k ON k.perk_id = p.id
    WHERE p.code_count <> coalesce(k.codes, 0) OR p.given_count <> coalesce(k.given, 0)`,
  'a transaction of a signed transfer has one': Prisma.sql`
    SELECT t.id::text AS subject, 'no transfer is carried by it' AS detail FROM transactions t
    WHERE t.tx_type = 'SIGNED_TRANSFER' AND NOT EXISTS (SELECT 1 FROM signed_transfers s
        WHERE s.organization_id = t.organization_id AND s.transaction_id = t.id)`,
  'a completed transfer is in the chain’s history': Prisma.sql`
    SELECT s.id::text AS subject, format('completed in %s, which is not in the history', s.tx_hash) AS detail
    FROM signed_transfers s JOIN collections c ON c.id = s.collection_id
      JOIN chain_cursors k ON k.network_id = c.network_id
    JOIN transactions t ON t.id = s.transaction_id
    WHERE s.state = 'COMPLETED' AND coalesce(t.block_number, 0) <= k.number AND c.following
      AND NOT EXISTS (SELECT 1 FROM item_history h
        WHERE h.item_id = s.item_id AND h.type = 'TRANSFER' AND h.tx_hash = s.tx_hash AND h.to_address = s.to_address)`,
  'a token in escrow is held once, for its escrow': Prisma.sql`
    SELECT e.id::text AS subject,
      format('the escrow is %s, and %s holds are its', e.state, coalesce(h.kept, 0)) AS detail
    FROM escrows e LEFT JOIN (
      SELECT escrow_of_holder(holder_type, holder_id) AS escrow_id, count(*) AS kept
      FROM holds WHERE state <> 'RELEASED' AND item_id IN (SELECT item_id FROM escrows)
      GROUP BY 1) h ON h.escrow_id = e.id
    WHERE coalesce(h.kept, 0) <> CASE WHEN e.state IN ('WAITING', 'ENDED') THEN 0 ELSE 1 END`,
  'a token in escrow is offered, on its way back, or waits for a person': Prisma.sql`
    SELECT e.id::text AS subject, format('the escrow is %s, its claim %s, its return %s', e.state,
        coalesce(c.state::text, 'not there'), coalesce(m.state::text, 'not there')) AS detail
    FROM escrows e
      LEFT JOIN LATERAL (SELECT k.state FROM email_claims k WHERE k.organization_id = e.organization_id
          AND k.item_id = e.item_id AND k.escrow_id = e.id ORDER BY k.id DESC LIMIT 1) c ON true
      LEFT JOIN LATERAL (SELECT r.state FROM mint_requests r WHERE r.organization_id = e.organization_id
          AND r.item_id = e.item_id AND r.escrow_id = e.id AND r.claim_id IS NULL ORDER BY r.id DESC LIMIT 1) m ON true
    WHERE NOT coalesce(CASE e.state::text
      WHEN 'OFFERED' THEN c.state IN ('OPEN', 'LOCKED', 'REDEEMED')
      WHEN 'TAKEN' THEN c.state = 'CLAIMED' OR (c.state IS NULL AND m.state = 'COMPLETED')
      WHEN 'RETURNING' THEN (c.state IN ('EXPIRED', 'REVOKED') OR (c.state IS NULL AND e.email IS NULL))
        AND coalesce(m.state::text, 'FAILED') IN ('WAITING', 'SUBMITTED', 'FAILED')
      WHEN 'RETURN_REFUSED' THEN coalesce(m.state::text, 'FAILED') = 'FAILED'
      WHEN 'RETURNED' THEN m.state = 'COMPLETED'
      WHEN 'ENDED' THEN c.state IS NULL OR c.state IN ('EXPIRED', 'REVOKED')
      ELSE c.state IS NULL END, false)`,
  'an escrow whose token has come doesn’t wait for it': Prisma.sql`
    SELECT e.id::text AS subject, format('it waits, and %s brought the token', s.tx_hash) AS detail
    FROM escrows e JOIN signed_transfers s ON s.organization_id = e.organization_id AND s.id = e.id
      JOIN collections c ON c.id = e.collection_id
    WHERE e.state = 'WAITING' AND s.state = 'COMPLETED' AND c.following
      AND EXISTS (SELECT 1 FROM item_history h
        WHERE h.item_id = s.item_id AND h.type = 'TRANSFER' AND h.tx_hash = s.tx_hash)`,
  'a voucher is redeemed exactly if a mint in the history used it, or a fact about it waits': Prisma.sql`
    SELECT v.id::text AS subject, format('%s; %s', v.state,
        CASE WHEN h.id IS NULL THEN 'no mint used it' ELSE 'a mint used it in ' || h.tx_hash END) AS detail
    FROM vouchers v LEFT JOIN item_history h ON h.voucher_id = v.id JOIN collections c ON c.id = v.collection_id
    WHERE c.following AND (v.state = 'REDEEMED') <> (h.id IS NOT NULL)
      AND NOT EXISTS (SELECT 1 FROM voucher_facts f WHERE f.voucher_id = v.id)`,
  'a list’s total is the number of its rows': Prisma.sql`
    SELECT format('%s of %s', table_name, parent_id) AS subject,
      format('counted %s too few with %s', amount, array_to_string(traits, ', ')) AS detail
    FROM row_counts_missing`,
  'a collection’s owners own units of its items': Prisma.sql`
    SELECT format('%s of %s', address, collection_id) AS subject, format('counted %s items too few', items) AS detail
    FROM collection_owners_missing`,
  'a collection’s sums are those of its items': Prisma.sql`
    SELECT collection_id::text AS subject, format('%s: counted %s too few%s', kind, amount,
        CASE WHEN name <> '' THEN format(' with %s, %s', name, left(value, 100)) ELSE '' END) AS detail
    FROM collection_sums_missing`,
  'what the chain says of a voucher is applied soon': Prisma.sql`
    SELECT f.voucher_id::text AS subject, format('%s in %s, queued at %s, tried %s times: %s', f.type, f.tx_hash,
        f.created_at, f.attempts, coalesce(f.last_error, 'no error')) AS detail
    FROM voucher_facts f WHERE f.created_at < now()
      - CASE WHEN f.type = 'CANCELLED' THEN interval '1 day' ELSE interval '10 minutes' END`,
  ...FIGURES,
}

/**
 * Compares the records of stock, money and chain with each other, without asking a node. Read-only; returns nothing
 * when all agree.
 */
export async function verifyBooks(worker: Pick<SystemContext, 'sql'>): Promise<Finding[]> {
  const findings: Finding[] = []
  for (const [check, statement] of Object.entries(CHECKS)) {
    const rows = await worker.sql<{ subject: string; detail: string }>(statement)
    findings.push(...rows.map((row) => ({ check, ...row })))
  }
  return findings
}
