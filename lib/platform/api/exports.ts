import { z } from 'zod'
import { timeSentence } from '../../core/issue-sentence.ts'
import { address, timestamp, uuid } from '../../core/wire.ts'
import { listEmailClaims } from './email-claims.ts'
import { endpoint } from './endpoint.ts'
import { listItems } from './items.ts'
import { listPurchaseIntents } from './purchases.ts'

const area = 'Exports'
const paging = { limit: true, cursor: true, order_direction: true } as const
const csv = { contentType: 'text/csv', response: z.string(), stream: true } as const

const day = (time: string) => z.iso.date().transform((text) => new Date(`${text}T${time}Z`))
const error = ({ input }: { input?: unknown }) => timeSentence(String(input), 'a day, such as 2027-01-31, or ')
const period = {
  from: z
    .union([day('00:00:00'), timestamp], { error })
    .nullish()
    .describe('Created at this time or later; a day (2027-01-31) means its beginning.'),
  to: z
    .union([day('23:59:59.999'), timestamp], { error })
    .nullish()
    .describe('Created at this time or before; a day means its end.'),
}

export const exportItems = endpoint({
  id: 'export-items',
  method: 'GET',
  path: '/v1/exports/items.csv',
  area,
  auth: 'api_key',
  permission: 'items:read',
  summary: 'All items as CSV',
  description:
    'Oldest first, with a column for each attribute (attributes.<name>). The file can be imported again. ' +
    'A cell that a spreadsheet would read as a formula is prefixed with an apostrophe, here and in all exports.',
  query: listItems.query.omit(paging).extend(period),
  ...csv,
})

export const exportHolders = endpoint({
  id: 'export-holders',
  method: 'GET',
  path: '/v1/exports/holders.csv',
  area,
  auth: 'api_key',
  permission: 'items:read',
  summary: 'Who holds what now, as CSV',
  description:
    'One line for each item and address that owns units of it on the chain. For a past moment, take a snapshot.',
  query: z.object({ collection_id: uuid.nullish(), item_id: uuid.nullish(), address: address.nullish() }),
  ...csv,
})

export const exportEmailClaims = endpoint({
  id: 'export-email-claims',
  method: 'GET',
  path: '/v1/exports/claims.csv',
  area,
  auth: 'api_key',
  permission: 'email_claims:read',
  summary: 'All email claims as CSV',
  description: 'Oldest first. The links are secret and not included.',
  query: listEmailClaims.query.omit(paging).extend(period),
  ...csv,
})

export const exportPurchases = endpoint({
  id: 'export-purchases',
  method: 'GET',
  path: '/v1/exports/purchases.csv',
  area,
  auth: 'api_key',
  permission: 'purchase_intents:read',
  summary: 'All purchases as CSV',
  description: 'Oldest first. Amounts are in whole units of the currency: 19.99.',
  query: listPurchaseIntents.query.omit(paging).extend(period),
  ...csv,
})
