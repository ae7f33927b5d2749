import type {
  Campaign,
  ClaimToken,
  Collection,
  EmailClaim,
  Item,
  MintRequest,
  Transaction,
  Voucher,
} from '../../generated/prisma/client.ts'
import type { ClaimItemRow } from '../catalog/items/show-item.ts'
import type { VoucherEntryRow } from '../onchain/vouchers/show-voucher.ts'

type Claim = Pick<
  EmailClaim,
  | 'id'
  | 'organizationId'
  | 'collectionId'
  | 'itemId'
  | 'email'
  | 'quantity'
  | 'txPayer'
  | 'state'
  | 'generation'
  | 'expiresAt'
  | 'linkWrongPins'
  | 'toAddress'
  | 'openedAt'
  | 'lastPinSentAt'
  | 'redeemedAt'
  | 'claimedAt'
  | 'declinedAt'
  | 'createdAt'
  | 'escrowId'
  | 'locale'
>
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

/** The columns of a claim that its views show, of the tables in `SHOWN_CLAIM_FROM` and `shownClaimsFrom`. */
export const SHOWN_CLAIM_COLUMNS = `e.id, e.organization_id AS "organizationId", e.collection_id AS "collectionId",
  e.item_id AS "itemId", e.email, e.quantity, e.tx_payer AS "txPayer", e.state, e.generation, e.expires_at AS "expiresAt",
  e.link_wrong_pins AS "linkWrongPins", e.to_address AS "toAddress", e.opened_at AS "openedAt",
  e.last_pin_sent_at AS "lastPinSentAt", e.redeemed_at AS "redeemedAt", e.claimed_at AS "claimedAt", e.declined_at AS "declinedAt",
  e.created_at AS "createdAt", e.escrow_id AS "escrowId", e.locale, k.locale AS "campaignLocale", i.token_id AS "tokenId", c.network_id AS "networkId", k.id AS "shownCampaignId",
  t.hash AS "tokenHash", m.state AS "mintState", m.tx_hash AS "mintTxHash", m.failure AS "mintFailure",
  m.transaction_tx_hash AS "transactionTxHash", v.id AS "voucherId", v.state AS "voucherState", v.tx_hash AS "voucherTxHash",
  v.contract AS "voucherContract", v.minter AS "voucherMinter", v.network_id AS "voucherNetworkId", v.signature,
  v.currency, v.expiry, v.initial_recipient AS "initialRecipient", v.net_recipient AS "netRecipient", v.nonce,
  v.quantity AS "voucherQuantity", v.token_id AS "voucherTokenId",
  v.initial_recipient_amount::text AS "initialRecipientAmount", v.price::text AS price`

/** A claim's item, collection and campaign. A campaign that is being deleted is missing (row-level security). */
const CLAIM_WITH_ITEM = `email_claims e
    JOIN items i ON i.organization_id = e.organization_id AND i.id = e.item_id
    JOIN collections c ON c.organization_id = e.organization_id AND c.id = e.collection_id
    LEFT JOIN campaigns k ON k.organization_id = e.organization_id AND k.id = e.campaign_id`

/** A claim with what is shown of it. */
export const SHOWN_CLAIM_FROM = `${CLAIM_WITH_ITEM}
    LEFT JOIN LATERAL (SELECT n.hash FROM claim_tokens n WHERE n.claim_id = e.id ORDER BY n.generation DESC LIMIT 1) t ON true
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
    LEFT JOIN (SELECT DISTINCT ON (n.claim_id) n.claim_id, n.state, n.tx_hash, n.failure, x.tx_hash AS transaction_tx_hash
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
  voucherState: Voucher['state']
  voucherTxHash: string | null
  voucherContract: string
  voucherMinter: string
  voucherNetworkId: number
  voucherQuantity: bigint
  voucherTokenId: string
  initialRecipientAmount: string
  price: string
} & Pick<Voucher, 'signature' | 'currency' | 'expiry' | 'initialRecipient' | 'netRecipient' | 'nonce'>

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

/** The columns of the claim's item that its recipient sees, besides those above. */
export const CLAIM_ITEM_COLUMNS = `i.attributes, i.translations, i.image_source AS "imageSource", i.image_cid AS "imageCid",
  i.image_file AS "imageFile", c.name, c.reveal_strategy AS "revealStrategy", c.revealed_at AS "revealedAt",
  c.preview_metadata AS "previewMetadata", c.token_type AS "tokenType", c.contract_address AS "contractAddress",
  c.deployment_status AS "deploymentStatus", c.deployment_type AS "deploymentType",
  c.deployment_transaction_id AS "deploymentTransactionId", c.contract_version AS "contractVersion", c.minter,
  c.soulbound, c.symbol`

export type FlatClaimItem = Omit<ClaimItemRow, 'id' | 'tokenId' | 'collectionId' | 'collection'> &
  Omit<ClaimItemRow['collection'], 'networkId'>

export const claimItemRowOf = (row: FlatClaim & FlatClaimItem): ClaimItemRow => ({
  ...row,
  id: row.itemId,
  collection: row,
})
