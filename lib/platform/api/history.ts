import { z } from 'zod'
import { pageOf, pageQuery } from '../../core/page.ts'
import { address, count, digits, timestamp, uuid } from '../../core/wire.ts'
import { endpoint } from './endpoint.ts'

const ITEMS = 'Items'
const NETWORKS = 'Networks'
const METADATA = 'Metadata'

const party = z.object({
  address: address.describe('The zero address for the sender of a mint and the receiver of a burn.'),
})

export const historyEntry = z
  .object({
    type: z.enum(['MINT', 'TRANSFER', 'BURN']),
    quantity: count,
    timestamp: timestamp.describe('Of the block.'),
    data: z.object({
      from: party,
      to: party,
      transaction: z.object({ tx_hash: z.string(), block_number: z.int(), log_index: z.int() }),
    }),
  })
  .meta({ id: 'HistoryEntry' })

export const listHistory = endpoint({
  id: 'P8',
  method: 'GET',
  path: '/public/v1/items/{item_id}/history',
  area: ITEMS,
  auth: 'anonymous',
  summary: 'List an item’s history on the chain',
  description:
    'Mints, transfers and burns as indexed from the chain, newest first. A reorg may remove the latest entries again.',
  params: z.object({ item_id: uuid }),
  query: pageQuery().extend({ event_type: z.enum(['MINT', 'TRANSFER', 'BURN']).nullish() }),
  response: pageOf(historyEntry),
})

export const itemOwner = z.object({ address, quantity: count }).meta({ id: 'ItemOwner' })

export const listOwners = endpoint({
  id: 'P9',
  method: 'GET',
  path: '/public/v1/items/{item_id}/owners',
  area: ITEMS,
  auth: 'anonymous',
  summary: 'List an item’s owners',
  description: 'Ordered by address, so that pages stay stable when owners change between requests.',
  params: z.object({ item_id: uuid }),
  query: pageQuery(),
  response: pageOf(itemOwner),
})

export const collectionStats = endpoint({
  id: 'collection-stats',
  method: 'GET',
  path: '/public/v1/collections/{collection_id}/stats',
  area: 'Collections',
  auth: 'anonymous',
  summary: 'Count a collection’s attributes and owners',
  description: 'How many items have each value of each attribute (the 1,000 most frequent values of an attribute).',
  params: z.object({ collection_id: uuid }),
  response: z.object({
    attributes: z.record(z.string(), z.record(z.string(), z.int())),
    items: z.int(),
    minted: count.describe('Units ever minted.'),
    owners: z.int(),
  }),
})

export const network = z
  .object({ id: z.int(), name: z.string(), testnet: z.boolean() })
  .meta({ id: 'Network', example: { id: 31337, name: 'Local', testnet: true } })

export const listNetworks = endpoint({
  id: 'P14',
  method: 'GET',
  path: '/public/v1/networks',
  area: NETWORKS,
  auth: 'none',
  summary: 'List the available networks',
  description: 'Ordered by id, the highest first unless `order_direction` is ASC.',
  query: pageQuery(),
  response: pageOf(network),
})

export const listCapabilities = endpoint({
  id: 'list-capabilities',
  method: 'GET',
  path: '/public/v1/capabilities',
  area: NETWORKS,
  auth: 'none',
  summary: 'List the capabilities of token contracts',
  response: z.object({ capabilities: z.array(z.string()).meta({ example: ['ERC721', 'MINT_VOUCHER'] }) }),
})

export const getCapability = endpoint({
  id: 'get-capability',
  method: 'GET',
  path: '/public/v1/capabilities/{capability}',
  area: NETWORKS,
  auth: 'none',
  summary: 'The ABI of one capability',
  description:
    'The functions a contract with this capability has. Where ERC-721 and ERC-1155 differ, both forms are listed.',
  params: z.object({ capability: z.string() }),
  response: z.object({ capability: z.string(), abi: z.array(z.unknown()) }),
})

const methods = [
  'eth_blockNumber',
  'eth_chainId',
  'eth_estimateGas',
  'eth_feeHistory',
  'eth_gasPrice',
  'eth_getBalance',
  'eth_getBlockByNumber',
  'eth_getTransactionByHash',
  'eth_getTransactionCount',
  'eth_getTransactionReceipt',
  'eth_maxPriorityFeePerGas',
  'eth_sendRawTransaction',
] as const
export type RelayMethod = (typeof methods)[number]

export const relay = endpoint({
  id: 'relay',
  method: 'POST',
  path: '/public/v1/relay/{network_id}',
  area: NETWORKS,
  auth: 'anonymous',
  summary: 'Send a voucher mint or a signed transfer to a network',
  description:
    'A JSON-RPC endpoint for wallets in a page. It reads what sending a transaction needs, and sends and estimates ' +
    'only `mintWithVoucher` and `transferWithSignature` calls to a collection deployed here.',
  params: z.object({ network_id: digits(1) }),
  body: z.strictObject({
    jsonrpc: z.literal('2.0').default('2.0'),
    id: z.union([z.string().max(100), z.number(), z.null()]).default(null),
    method: z.enum(methods),
    params: z.array(z.unknown()).max(4).default([]),
  }),
  response: z.object({
    jsonrpc: z.literal('2.0'),
    id: z.union([z.string(), z.number(), z.null()]),
    result: z.unknown().optional(),
    error: z.object({ code: z.number(), message: z.string(), data: z.unknown().optional() }).optional(),
  }),
  errors: ['not_found', 'voucher_refused', 'unavailable'],
  example: { jsonrpc: '2.0', id: 1, method: 'eth_chainId', params: [] },
})

const trait = z.object({ trait_type: z.string(), value: z.union([z.string(), z.number(), z.boolean()]) })

export const tokenMetadata = endpoint({
  id: 'token-metadata',
  method: 'GET',
  path: '/public/v1/metadata/{collection_id}/{token_id}',
  area: METADATA,
  auth: 'anonymous',
  summary: 'A token’s metadata',
  description:
    'What `tokenURI` and `uri` point to, as wallets and marketplaces read it. `token_id` is decimal, or 64 hex ' +
    'digits as in ERC-1155: 64 digits are hex when they begin with 0 or when there is no such decimal token.',
  params: z.object({ collection_id: uuid, token_id: z.string().regex(/^(\d{1,78}|[0-9a-fA-F]{64})$/) }),
  response: z.object({
    name: z.string(),
    description: z.string().optional(),
    image: z.string().describe('Generated art where the item has no image.'),
    animation_url: z.string().optional(),
    external_url: z.string().optional(),
    attributes: z.array(trait),
  }),
})

export const contractMetadata = endpoint({
  id: 'contract-metadata',
  method: 'GET',
  path: '/public/v1/metadata/{collection_id}',
  area: METADATA,
  auth: 'anonymous',
  summary: 'A collection’s metadata',
  description: 'What `contractURI` points to, as marketplaces read it.',
  params: z.object({ collection_id: uuid }),
  response: z.object({
    name: z.string(),
    symbol: z.string().optional(),
    description: z.string().optional(),
    image: z.string().optional(),
    banner_image: z.string().optional(),
    featured_image: z.string().optional(),
    external_link: z.string().optional(),
    seller_fee_basis_points: z.int().optional(),
    fee_recipient: z.string().optional(),
  }),
})
