import { z } from 'zod'
import { now } from '../core/clock.ts'
import { count, timestamp, uuid } from '../core/wire.ts'
import { endpoint } from './endpoint.ts'

const area = 'Analytics'

export const INTERVALS = ['DAY', 'WEEK', 'MONTH'] as const

/** What was sold for one kind of money. */
const sales = z
  .object({
    mode: z.enum(['TEST', 'LIVE']),
    currency: z.string(),
    currency_address: z.string().nullable().describe('The payment token’s; null for cards.'),
    currency_decimals: z.int(),
    purchases: count.describe('Paid, or taken free, and not refunded.'),
    units: count.describe('In those purchases.'),
    gross: z.string().describe('All that was paid, in minor units.'),
    refunds: count.describe('Purchases whose money went back.'),
    refunded: z.string().describe('What went back.'),
    net: z.string().describe('gross less refunded.'),
  })
  .meta({ id: 'Sales' })

export const countSales = endpoint({
  id: 'count-sales',
  method: 'GET',
  path: '/v1/analytics/sales',
  area,
  auth: 'api_key',
  permission: 'purchase_intents:read',
  summary: 'Sales figures',
  description:
    'Counted when a purchase was paid; a refund counts where its purchase does. Each currency stands for itself, and so does each mode. Intervals are those of UTC; a week begins on Monday. Ones without a sale are there, empty.',
  query: z
    .object({
      from: timestamp.nullish().describe('30 days before the end unless given; rounded down to its interval.'),
      to: timestamp.nullish().describe('Now unless given.'),
      interval: z.enum(INTERVALS).nullish().describe('DAY unless given.'),
      listing_id: uuid.nullish(),
      collection_id: uuid.nullish(),
      mode: z.enum(['TEST', 'LIVE']).nullish(),
    })
    .superRefine(({ from, to }, issues) => {
      const end = to?.getTime() ?? now().getTime()
      const start = from?.getTime() ?? end
      if (start > end) issues.addIssue({ code: 'custom', path: ['from'], message: 'The start must not be after the end.' })
      else if (end - start > 3 * 366 * 86_400_000) issues.addIssue({ code: 'custom', path: ['from'], message: 'At most three years can be asked for at once.' })
    }),
  response: z.object({
    from: timestamp,
    to: timestamp,
    interval: z.enum(INTERVALS),
    totals: z.array(sales),
    series: z.array(z.object({ start: timestamp, sales: z.array(sales) })),
  }),
})
