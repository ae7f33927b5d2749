import { z } from 'zod'
import { pageOf, pageQuery } from '../../core/page.ts'
import { address, email, optional, safeString, timestamp, uuid } from '../../core/wire.ts'
import { endpoint } from './endpoint.ts'

const area = 'Listings'
const params = z.object({ listing_id: uuid })
const MAX_ENTRIES = 5_000
export const addresses = z.array(address).max(MAX_ENTRIES)
export const emails = z.array(email).max(MAX_ENTRIES)

const allowance = z
  .object({ eth_address: address.nullable(), email_address: email.nullable(), created_at: timestamp })
  .meta({ id: 'Allowance' })

export const listAllowances = endpoint({
  id: 'list-allowances',
  method: 'GET',
  path: '/v1/listings/{listing_id}/allow-list',
  area,
  auth: 'api_key',
  permission: 'listings:read',
  summary: 'List a listing’s allow list',
  description:
    'With order_direction ASC, addresses first, then emails, each in alphabetical order; otherwise reversed.',
  params,
  query: pageQuery(1000).extend({ search: safeString.nullish().describe('Part of the address or email.') }),
  response: pageOf(allowance),
})

export const changeAllowList = endpoint({
  id: 'change-allow-list',
  method: 'POST',
  path: '/v1/listings/{listing_id}/allow-list',
  area,
  auth: 'api_key',
  permission: 'listings:write',
  summary: 'Add to or remove from a listing’s allow list',
  description:
    `At most ${MAX_ENTRIES} addresses and ${MAX_ENTRIES} emails per call. ` +
    'Adding an entry that exists, or removing one that doesn’t, changes nothing.',
  params,
  body: z.strictObject({
    action: z.enum(['ADD', 'REMOVE']),
    eth_addresses: optional(addresses),
    email_addresses: optional(emails),
  }),
  response: z.object({ changed: z.int(), total_results: z.int().describe('Entries on the list now.') }),
  errors: ['listing_over', 'mode_mismatch'],
  example: {
    action: 'ADD',
    eth_addresses: ['0x70997970C51812dc3A010C7d01b50e0d17dc79C8'],
    email_addresses: ['ada@example.com'],
  },
})
