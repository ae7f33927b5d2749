import type { Campaign, EmailClaim, MintRequest, Transaction, Voucher } from '../../generated/prisma/client.ts'
import type { Context } from '../platform/auth/context.ts'
import { notFound } from '../core/errors.ts'
import type { Statement } from '../db/statements.ts'
import type { ItemFacts } from './claim-facts.ts'

/** A claim with what its link, its mail and its view need; of its mint requests and vouchers the newest. */
export type LinkedClaim = EmailClaim & {
  item: Pick<ItemFacts, 'id' | 'tokenId' | 'attributes' | 'translations' | 'imageSource' | 'imageCid' | 'imageFile'> & {
    collection: Pick<
      ItemFacts['collection'],
      'name' | 'networkId' | 'revealStrategy' | 'revealedAt' | 'previewMetadata'
    >
  }
  campaign: Pick<Campaign, 'id' | 'emailFrom' | 'locale'> | null
  tokens: { hash: Uint8Array<ArrayBuffer> }[]
  mintRequests: (Pick<MintRequest, 'state' | 'txHash' | 'failure'> & { transaction: Pick<Transaction, 'txHash'> })[]
  vouchers: Pick<Voucher, 'id' | 'state' | 'txHash' | 'collectionId' | 'networkId'>[]
}

const LOCK: Statement = {
  name: 'lock_claim',
  text: 'SELECT 1 FROM email_claims WHERE organization_id = $1::uuid AND id = $2::uuid FOR NO KEY UPDATE',
}

const READ: Statement = {
  name: 'linked_claim',
  text: `SELECT e.id, e.organization_id AS "organizationId", e.collection_id AS "collectionId", e.item_id AS "itemId", e.campaign_id AS "campaignId",
      e.email, e.quantity, e.tx_payer::text AS "txPayer", e.state::text AS state, e.generation, e.expires_at AS "expiresAt",
      e.wrong_pins AS "wrongPins", e.link_wrong_pins AS "linkWrongPins", e.to_address AS "toAddress", e.opened_at AS "openedAt",
      e.last_pin_sent_at AS "lastPinSentAt", e.redeemed_at AS "redeemedAt", e.claimed_at AS "claimedAt", e.revoked_at AS "revokedAt",
      e.reminded_at AS "remindedAt", e.declined_at AS "declinedAt", e.created_at AS "createdAt", e.updated_at AS "updatedAt", e.purchase_intent_id AS "purchaseIntentId", e.escrow_id AS "escrowId", e.locale,
      i.token_id AS "tokenId", i.attributes, i.translations, i.image_source AS "imageSource", i.image_cid AS "imageCid", i.image_file AS "imageFile",
      c.name AS "collectionName", c.network_id AS "networkId", c.reveal_strategy::text AS "revealStrategy", c.revealed_at AS "revealedAt",
      c.preview_metadata AS "previewMetadata", k.id AS "shownCampaignId", k.email_from AS "emailFrom", k.locale AS "campaignLocale", t.hash AS "tokenHash",
      m.state AS "mintState", m.tx_hash AS "mintTxHash", m.failure AS "mintFailure", m.sent_as AS "mintSentAs",
      v.id AS "voucherId", v.state AS "voucherState", v.tx_hash AS "voucherTxHash", v.network_id AS "voucherNetworkId"
    FROM email_claims e
      JOIN items i ON i.organization_id = e.organization_id AND i.id = e.item_id
      JOIN collections c ON c.organization_id = e.organization_id AND c.id = e.collection_id
      LEFT JOIN campaigns k ON k.organization_id = e.organization_id AND k.id = e.campaign_id
      LEFT JOIN claim_tokens t ON t.claim_id = e.id AND t.generation = e.generation
      LEFT JOIN LATERAL (SELECT r.state::text AS state, r.tx_hash, r.failure, x.tx_hash AS sent_as
        FROM mint_requests r JOIN transactions x ON x.organization_id = r.organization_id AND x.id = r.transaction_id
        WHERE r.claim_id = e.id ORDER BY r.id DESC LIMIT 1) m ON true
      LEFT JOIN LATERAL (SELECT w.id, w.state::text AS state, w.tx_hash, w.network_id
        FROM vouchers w WHERE w.claim_id = e.id ORDER BY w.id DESC LIMIT 1) v ON true
    WHERE e.organization_id = $1::uuid AND e.id = $2::uuid`,
}

type Row = EmailClaim &
  Omit<LinkedClaim['item'], 'id' | 'collection'> &
  Omit<LinkedClaim['item']['collection'], 'name'> & {
    collectionName: string
    shownCampaignId: string | null
    emailFrom: string | null
    campaignLocale: string | null
    tokenHash: Uint8Array<ArrayBuffer> | null
    mintState: MintRequest['state'] | null
    mintTxHash: string | null
    mintFailure: string | null
    mintSentAs: string | null
    voucherId: string | null
    voucherState: Voucher['state']
    voucherTxHash: string | null
    voucherNetworkId: number
  }

/** Locks a claim until the transaction ends, and reads it in the same round trip. Throws `not_found`. */
export async function lockLinkedClaim(tx: Context, id: string): Promise<LinkedClaim> {
  await tx.later(LOCK, tx.organizationId, id)
  const [row] = await tx.rows<Row>(READ, tx.organizationId, id)
  if (!row) throw notFound()
  return linkedOf(row)
}

function linkedOf(row: Row): LinkedClaim {
  const { mintState, voucherId, tokenHash, shownCampaignId } = row
  return {
    ...row,
    item: { ...row, id: row.itemId, collection: { ...row, name: row.collectionName } },
    campaign:
      shownCampaignId === null ? null : { id: shownCampaignId, emailFrom: row.emailFrom, locale: row.campaignLocale },
    tokens: tokenHash === null ? [] : [{ hash: tokenHash }],
    mintRequests:
      mintState === null
        ? []
        : [
            {
              state: mintState,
              txHash: row.mintTxHash,
              failure: row.mintFailure,
              transaction: { txHash: row.mintSentAs },
            },
          ],
    vouchers:
      voucherId === null
        ? []
        : [
            {
              id: voucherId,
              state: row.voucherState,
              txHash: row.voucherTxHash,
              collectionId: row.collectionId,
              networkId: row.voucherNetworkId,
            },
          ],
  }
}
