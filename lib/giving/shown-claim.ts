import type {
  Campaign,
  ClaimToken,
  Collection,
  Item,
  MintRequest,
  Transaction,
  Voucher,
} from '../../generated/prisma/client.ts'
import type { ClaimItemRow } from '../catalog/items/show-item.ts'
import { columns, type RowOf } from '../db/columns.ts'
import type { VoucherEntryRow } from '../onchain/vouchers/show-voucher.ts'

const CLAIM = columns('e', 'EmailClaim', [
  'id',
  'organizationId',
  'collectionId',
  'itemId',
  'email',
  'quantity',
  'txPayer',
  'state',
  'generation',
  'expiresAt',
  'linkWrongPins',
  'toAddress',
  'openedAt',
  'lastPinSentAt',
  'redeemedAt',
  'claimedAt',
  'declinedAt',
  'createdAt',
  'escrowId',
  'locale',
])
type Claim = RowOf<typeof CLAIM>
type Mint = Pick<MintRequest, 'state' | 'txHash' | 'failure'> & { transaction: Pick<Transaction, 'txHash'> }
type ShownVoucher = Pick<Voucher, 'id' | 'state' | 'txHash'>

/** The rows of a claim that its views show, the newest of each first. */
export type ShownClaim = Claim & {
  item: Pick<Item, 'tokenId'> & { collection: Pick<Collection, 'networkId'> }
  campaign: Pick<Campaign, 'id' | 'locale'> | null
  mintRequests: readonly Mint[]
  vouchers: readonly ShownVoucher[]
  tokens: readonly Pick<ClaimToken, 'hash'>[]
}

/** A claim as its recipient sees it. */
export type ViewedClaim = ShownClaim & { vouchers: readonly (ShownVoucher & VoucherEntryRow)[] }

/** The columns of a claim's campaign and of a token of it, null where there is none. */
export const SHOWN_CAMPAIGN = [
  columns('k', 'Campaign', ['id'], 'shownCampaign'),
  columns('k', 'Campaign', ['locale'], 'campaign'),
].join(', ')
export const TOKEN = columns('t', 'ClaimToken', ['hash'], 'token')
const MINT = columns('m', 'MintRequest', ['state', 'txHash', 'failure'], 'mint')
const VOUCHER = columns(
  'v',
  'Voucher',
  ['id', 'state', 'txHash', 'contract', 'minter', 'networkId', 'quantity', 'tokenId'],
  'voucher',
)
const TERMS = columns('v', 'Voucher', ['signature', 'currency', 'expiry', 'initialRecipient', 'netRecipient', 'nonce'])

/** The columns of a claim that its views show, of the tables in `SHOWN_CLAIM_FROM` and `shownClaimsFrom`. */
export const SHOWN_CLAIM_COLUMNS = `${CLAIM}, ${SHOWN_CAMPAIGN}, ${columns('i', 'Item', ['tokenId'])},
  ${columns('c', 'Collection', ['networkId'])}, ${TOKEN}, ${MINT}, m.transaction_tx_hash AS "transactionTxHash",
  ${VOUCHER}, ${TERMS}, v.initial_recipient_amount::text AS "initialRecipientAmount", v.price::text AS price`

/** A claim's item, collection and campaign. A campaign that is being deleted is missing (row-level security). */
const CLAIM_WITH_ITEM = `email_claims e
    JOIN items i ON i.organization_id = e.organization_id AND i.id = e.item_id
    JOIN collections c ON c.organization_id = e.organization_id AND c.id = e.collection_id
    LEFT JOIN campaigns k ON k.organization_id = e.organization_id AND k.id = e.campaign_id`

/** A claim with what is shown of it. */
export const SHOWN_CLAIM_FROM = `${CLAIM_WITH_ITEM}
    LEFT JOIN LATERAL (SELECT n.hash FROM claim_tokens n
      WHERE n.claim_id = e.id ORDER BY n.generation DESC LIMIT 1) t ON true
    LEFT JOIN LATERAL (SELECT n.state, n.tx_hash, n.failure, x.tx_hash AS transaction_tx_hash
      FROM mint_requests n JOIN transactions x ON x.organization_id = n.organization_id AND x.id = n.transaction_id
      WHERE n.claim_id = e.id ORDER BY n.id DESC LIMIT 1) m ON true
    LEFT JOIN LATERAL (SELECT n.* FROM vouchers n WHERE n.claim_id = e.id ORDER BY n.id DESC LIMIT 1) v ON true`

/**
 * The claims whose ids are `ids`, with what is shown of them. Each table is asked once for all of them: their rows lie
 * beside one another in its index.
 */
export const shownClaimsFrom = (ids: string): string => `${CLAIM_WITH_ITEM}
    LEFT JOIN (SELECT DISTINCT ON (n.claim_id) n.claim_id, n.hash FROM claim_tokens n
      WHERE n.claim_id = ANY (${ids}) ORDER BY n.claim_id, n.generation DESC) t ON t.claim_id = e.id
    LEFT JOIN (SELECT DISTINCT ON (n.claim_id) n.claim_id, n.state, n.tx_hash, n.failure,
        x.tx_hash AS transaction_tx_hash
      FROM mint_requests n JOIN transactions x ON x.organization_id = n.organization_id AND x.id = n.transaction_id
      WHERE n.claim_id = ANY (${ids}) ORDER BY n.claim_id, n.id DESC) m ON m.claim_id = e.id
    LEFT JOIN (SELECT DISTINCT ON (n.claim_id) n.* FROM vouchers n
      WHERE n.claim_id = ANY (${ids}) ORDER BY n.claim_id, n.id DESC) v ON v.claim_id = e.id`

/** A claim and what is shown of it in one row. */
export type FlatClaim = Claim & {
  tokenId: Item['tokenId']
  networkId: Collection['networkId']
  shownCampaignId: string | null
  campaignLocale: string | null
  tokenHash: ClaimToken['hash'] | null
  mintState: MintRequest['state'] | null
  mintTxHash: string | null
  mintFailure: string | null
  transactionTxHash: string | null
  voucherId: string | null
  initialRecipientAmount: string
  price: string
} & Omit<RowOf<typeof VOUCHER>, 'voucherId'> &
  RowOf<typeof TERMS>

export const shownClaimOf = (row: FlatClaim): ViewedClaim => ({
  ...row,
  item: { tokenId: row.tokenId, collection: { networkId: row.networkId } },
  campaign: row.shownCampaignId === null ? null : { id: row.shownCampaignId, locale: row.campaignLocale },
  mintRequests: row.mintState === null ? [] : [mintOf(row, row.mintState)],
  vouchers: row.voucherId === null ? [] : [voucherOf(row, row.voucherId)],
  tokens: row.tokenHash === null ? [] : [{ hash: row.tokenHash }],
})

const mintOf = (row: FlatClaim, state: MintRequest['state']): Mint => ({
  state,
  txHash: row.mintTxHash,
  failure: row.mintFailure,
  transaction: { txHash: row.transactionTxHash },
})

const voucherOf = (row: FlatClaim, id: string): ViewedClaim['vouchers'][number] => ({
  id,
  state: row.voucherState,
  txHash: row.voucherTxHash,
  contract: row.voucherContract,
  minter: row.voucherMinter,
  networkId: row.voucherNetworkId,
  signature: row.signature,
  currency: row.currency,
  expiry: row.expiry,
  initialRecipient: row.initialRecipient,
  initialRecipientAmount: { toFixed: () => row.initialRecipientAmount },
  netRecipient: row.netRecipient,
  nonce: row.nonce,
  price: { toFixed: () => row.price },
  quantity: row.voucherQuantity,
  tokenId: row.voucherTokenId,
})

const ITEM = columns('i', 'Item', ['attributes', 'translations', 'imageSource', 'imageCid', 'imageFile'])
const COLLECTION = columns('c', 'Collection', [
  'name',
  'revealStrategy',
  'revealedAt',
  'previewMetadata',
  'tokenType',
  'contractAddress',
  'deploymentStatus',
  'deploymentType',
  'deploymentTransactionId',
  'contractVersion',
  'minter',
  'soulbound',
  'symbol',
])

/** The columns of the claim's item that its recipient sees, besides those above. */
export const CLAIM_ITEM_COLUMNS = `${ITEM}, ${COLLECTION}`
export type FlatClaimItem = RowOf<typeof ITEM> & RowOf<typeof COLLECTION>

export const claimItemRowOf = (row: FlatClaim & FlatClaimItem): ClaimItemRow => ({
  ...row,
  id: row.itemId,
  collection: row,
})
