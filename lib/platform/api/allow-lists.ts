import { z } from 'zod'
import { pageOf, pageQuery } from '../../core/page.ts'
import { address, email, optional, safeString, timestamp, uuid } from '../../core/wire.ts'
import { endpoint } from './endpoint.ts'

const area = 'Listings'
const params = z.object({ listing_id: uuid })
const MOST_ENTRIES = 5_000
export const addresses = z.array(address).max(MOST_ENTRIES)
export const emails = z.array(email).max(MOST_ENTRIES)

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
  summary: 'Who is on a listing’s allow list',
  description:
    'Addresses first, then emails, each in alphabetical order; the other way round unless order_direction is ASC.',
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
  description: `At most ${MOST_ENTRIES} addresses and ${MOST_ENTRIES} emails a call; who is on it already, or isn’t, changes nothing.`,
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
