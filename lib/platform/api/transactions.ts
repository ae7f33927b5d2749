import { z } from 'zod'
import { pageOf, pageQuery } from '../../core/page.ts'
import { address, count, int32, timestamp, uint, uuid } from '../../core/wire.ts'
import { endpoint } from './endpoint.ts'

const area = 'Transactions'
const params = z.object({ transaction_id: uuid })

export const TRANSACTION_STATES = ['PENDING', 'SUBMITTED', 'COMPLETED', 'CANCELLED', 'FAILED'] as const
export const TRANSACTION_TYPES = [
  'DEPLOY_TOKEN_CONTRACT',
  'ADMIN_MINT',
  'TRANSFER_TOKEN',
  'SET_ROYALTY',
  'SET_BASE_URI',
  'UPDATE_METADATA',
  'CANCEL_VOUCHER',
  'SET_MAX_SUPPLY',
  'SET_ROLES',
  'CANCEL',
  'SIGNED_TRANSFER',
] as const

export const transaction = z
  .object({
    id: uuid,
    collection_id: uuid,
    network_id: z.int(),
    tx_type: z
      .enum(TRANSACTION_TYPES)
      .describe(
        'TRANSFER_TOKEN transfers a token in custody of our operator instead of minting; that operator sends it. ' +
          'SIGNED_TRANSFER sends a token of its holder, who signed for it.',
      ),
    state: z.enum(TRANSACTION_STATES),
    on_chain_status: z
      .enum(['SUCCESS', 'FAILURE'])
      .nullable()
      .describe('The outcome on the chain, once it is COMPLETED.'),
    tx_hash: z.string().nullable().describe('May change while it is SUBMITTED: raising the fee gives another hash.'),
    operator: address.nullable().describe('The account that sends it.'),
    nonce: z.int().nullable(),
    block_number: count.nullable(),
    failure: z.string().nullable().describe('Why it failed, for people.'),
    mint_requests: z
      .int()
      .describe('How many mint requests it carries: at most 100 of an ADMIN_MINT, one of a TRANSFER_TOKEN.'),
    gas_used: uint.nullable(),
    gas_cost_wei: uint.nullable().describe('An upper bound until it is mined, then the actual cost.'),
    explorer_url: z.string().nullable(),
    cancel_requested_at: timestamp.nullable(),
    created_at: timestamp,
    submitted_at: timestamp.nullable(),
    completed_at: timestamp.nullable(),
  })
  .meta({ id: 'Transaction' })

export const listTransactions = endpoint({
  id: 'list-transactions',
  method: 'GET',
  path: '/v1/transactions',
  area,
  auth: 'api_key',
  permission: 'transactions:read',
  summary: 'List transactions',
  query: pageQuery(100).extend({
    state: z.enum(TRANSACTION_STATES).nullish(),
    tx_type: z.enum(TRANSACTION_TYPES).nullish(),
    collection_id: uuid.nullish(),
    network_id: int32.nullish(),
  }),
  response: pageOf(transaction),
})

export const getTransaction = endpoint({
  id: 'get-transaction',
  method: 'GET',
  path: '/v1/transactions/{transaction_id}',
  area,
  auth: 'api_key',
  permission: 'transactions:read',
  summary: 'Get a transaction',
  params,
  response: transaction,
})

export const cancelTransaction = endpoint({
  id: 'cancel-transaction',
  method: 'POST',
  path: '/v1/transactions/{transaction_id}/cancel',
  area,
  auth: 'api_key',
  permission: 'transactions:write',
  summary: 'Cancel a transaction',
  description:
    'A PENDING one is CANCELLED at once and its holds are released. For a SUBMITTED one, ' +
    'an empty transaction with the same nonce is sent; its state depends on which of the two is mined.',
  params,
  body: z.strictObject({}),
  response: transaction,
  errors: ['transaction_in_use', 'transaction_finished'],
  example: {},
})
