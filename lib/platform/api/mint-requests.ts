import { z } from 'zod'
import { pageOf, pageQuery } from '../../core/page.ts'
import { address, count, optional, quantity, timestamp, uint, uuid } from '../../core/wire.ts'
import { endpoint } from './endpoint.ts'
import { STORY } from './story.ts'

const area = 'Mint requests'
const MAX_MINTS = 100

export const MINT_STATES = ['WAITING', 'SUBMITTED', 'COMPLETED', 'FAILED', 'CANCELLED'] as const

export const mintRequest = z
  .object({
    id: uuid,
    item_id: uuid,
    quantity: count,
    tx_type: z
      .enum(['ADMIN_MINT', 'TRANSFER_TOKEN'])
      .describe('How it is carried out: by a mint, or by a transfer where the token is in custody of our operator.'),
    transaction_id: uuid.describe(
      'The transaction that carries it. A mint that would revert is moved to a transaction of its own.',
    ),
    collection_id: uuid,
    state: z.enum(MINT_STATES),
    to_address: address,
    tx_hash: z.string().nullable(),
    failure: z.string().nullable().describe('Why it failed, for people.'),
    created_at: timestamp,
    completed_at: timestamp.nullable(),
  })
  .meta({ id: 'MintRequest' })

const mintRequestWithOthers = mintRequest
  .extend({ mint_requests: z.array(mintRequest).describe('All mint requests of the same transaction.') })
  .meta({ id: 'MintRequestWithOthers' })

export const listMintRequests = endpoint({
  id: 'A10',
  method: 'GET',
  path: '/v1/mint-requests',
  area,
  auth: 'api_key',
  permission: 'mint_requests:read',
  summary: 'List mint requests',
  query: pageQuery(1000).extend({ collection_id: uuid.nullish(), item_id: uuid.nullish() }),
  response: pageOf(mintRequest),
})

export const getMintRequest = endpoint({
  id: 'A11',
  method: 'GET',
  path: '/v1/mint-requests/{transaction_id}',
  area,
  auth: 'api_key',
  permission: 'mint_requests:read',
  summary: 'Get a mint request',
  description: 'By the id of its transaction (also of an earlier one it was moved from), or by its own id.',
  params: z.object({ transaction_id: uuid }),
  response: mintRequestWithOthers,
})

export const createMintRequests = endpoint({
  id: 'create-mint-requests',
  method: 'POST',
  path: '/v1/mint-requests',
  area,
  auth: 'api_key',
  permission: 'mint_requests:write',
  summary: 'Mint items',
  description:
    'Choose what to mint by exactly one of item_id, item_ids and collection_id (the first 100 of its locked, ' +
    'unminted items; token_ids or token_ranges narrow them down), and the receivers by to_address (all) or ' +
    'to_addresses (one for each). An item whose token is in custody of our operator is transferred instead ' +
    '(tx_type TRANSFER_TOKEN), if it is named by item_id, item_ids or token_ids.',
  body: z.strictObject({
    item_id: optional(uuid),
    item_ids: optional(z.array(uuid).min(1).max(MAX_MINTS)),
    collection_id: optional(uuid),
    token_ids: optional(z.array(uint).min(1).max(MAX_MINTS)),
    token_ranges: optional(
      z
        .array(z.strictObject({ from_id: uint, to_id: uint }))
        .min(1)
        .max(MAX_MINTS),
    ).describe('Both ends included.'),
    to_address: optional(address),
    to_addresses: optional(z.array(address).min(1).max(MAX_MINTS)),
    quantity: optional(quantity).describe('Of each item; 1 unless given.'),
    quantities: optional(z.array(quantity).min(1).max(MAX_MINTS)).describe('One for each item.'),
  }),
  response: z.object({ mint_requests: z.array(mintRequest) }),
  status: 201,
  errors: [
    'not_found',
    'mint_not_allowed',
    'item_not_locked',
    'collection_not_deployed',
    'sold_out',
    'in_escrow',
    'already_minted',
    'suspended',
    'recovering',
    'operator_gone',
    'supply_invalid',
    'address_cannot_receive',
    'gas_budget_spent',
  ],
  example: {
    item_id: STORY.item,
    to_address: '0x70997970C51812dc3A010C7d01b50e0d17dc79C8',
  },
})
