import {
  type Campaign,
  type EmailClaim,
  type MintRequest,
  Prisma,
  type Transaction,
  type Voucher,
} from '../../generated/prisma/client.ts'
import type { Context } from '../platform/auth/context.ts'
import { notFound } from '../core/errors.ts'
import { columns, type RowOf } from '../db/columns.ts'
import type { Statement } from '../db/statements.ts'
import type { ItemFacts } from './claim-facts.ts'
import { SHOWN_CAMPAIGN, TOKEN } from './shown-claim.ts'

/** A claim with what its link, its mail and its view need; of its mint requests and vouchers the newest. */
export type LinkedClaim = EmailClaim & {
  item: ItemColumns & Pick<ItemFacts, 'id'> & { collection: CollectionColumns & Pick<ItemFacts['collection'], 'name'> }
  campaign: Pick<Campaign, 'id' | 'emailFrom' | 'locale'> | null
  tokens: { hash: Uint8Array<ArrayBuffer> }[]
  mintRequests: (Pick<MintRequest, 'state' | 'txHash' | 'failure'> & { transaction: Pick<Transaction, 'txHash'> })[]
  vouchers: Pick<Voucher, 'id' | 'state' | 'txHash' | 'collectionId' | 'networkId'>[]
}

const LOCK: Statement = {
  name: 'lock_claim',
  text: 'SELECT 1 FROM email_claims WHERE organization_id = $1::uuid AND id = $2::uuid FOR NO KEY UPDATE',
}

const CLAIM = columns('e', 'EmailClaim', Object.values(Prisma.EmailClaimScalarFieldEnum))
const ITEM = columns('i', 'Item', ['tokenId', 'attributes', 'translations', 'imageSource', 'imageCid', 'imageFile'])
type ItemColumns = RowOf<typeof ITEM>
const COLLECTION = columns('c', 'Collection', ['networkId', 'revealStrategy', 'revealedAt', 'previewMetadata'])
type CollectionColumns = RowOf<typeof COLLECTION>
const NAME = columns('c', 'Collection', ['name'], 'collection')
const MINT = columns('m', 'MintRequest', ['state', 'txHash', 'failure'], 'mint')
const VOUCHER = columns('v', 'Voucher', ['id', 'state', 'txHash', 'networkId'], 'voucher')

const READ: Statement = {
  name: 'linked_claim',
  text: `SELECT ${CLAIM}, ${ITEM}, ${COLLECTION}, ${NAME}, ${SHOWN_CAMPAIGN},
      ${columns('k', 'Campaign', ['emailFrom'])}, ${TOKEN}, ${MINT}, m.sent_as AS "mintSentAs", ${VOUCHER}
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
  ItemColumns &
  CollectionColumns &
  RowOf<typeof NAME> & {
    shownCampaignId: string | null
    emailFrom: string | null
    campaignLocale: string | null
    tokenHash: Uint8Array<ArrayBuffer> | null
    mintState: MintRequest['state'] | null
    mintTxHash: string | null
    mintFailure: string | null
    mintSentAs: string | null
    voucherId: string | null
  } & Omit<RowOf<typeof VOUCHER>, 'voucherId'>

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
