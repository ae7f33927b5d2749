import { z } from 'zod'
import { count, digits, uint } from '../../core/wire.ts'
import { endpoint } from './endpoint.ts'

const area = 'Transfers'

const transferBudget = z
  .object({
    network_id: z.int(),
    network_name: z.string().describe('Name of the network.'),
    testnet: z.boolean(),
    daily_wei: uint.describe('What is paid for the gas of transfers in 24 hours, in wei; 0: nothing.'),
    is_usual: z.boolean().describe('Whether this is what is usual for the network, since nothing was set.'),
    spent_wei: uint.describe('What the transfers of the last 24 hours cost, or may cost, in wei.'),
    transfers: count.describe('How many transfers these are.'),
  })
  .meta({ id: 'TransferBudget' })

export const listTransferBudgets = endpoint({
  id: 'list-transfer-budgets',
  method: 'GET',
  path: '/v1/transfer-budgets',
  area,
  auth: 'api_key',
  permission: 'organizations:read',
  summary: 'List what is paid for transfers on each network',
  response: z.object({ results: z.array(transferBudget) }),
})

export const setTransferBudget = endpoint({
  id: 'set-transfer-budget',
  method: 'PUT',
  path: '/v1/transfer-budgets/{network_id}',
  area,
  auth: 'api_key',
  permission: 'organizations:write',
  summary: 'Set what is paid for transfers on a network',
  description:
    'The gas of transfers that holders sign, in 24 hours. It is apart from the gas budget of claims and mints; ' +
    'what the installation grants the organization bounds it, too. Until it is set, ' +
    'a small amount is paid on test networks and nothing on others.',
  params: z.object({ network_id: digits(1) }),
  body: z.strictObject({
    daily_wei: uint.nullable().describe('In wei. 0 turns it off, null restores what is usual for the network.'),
  }),
  response: transferBudget,
  example: { daily_wei: '20000000000000000' },
})
