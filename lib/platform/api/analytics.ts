import { z } from 'zod'
import { now } from '../../core/clock.ts'
import { count, timestamp, uuid } from '../../core/wire.ts'
import { endpoint } from './endpoint.ts'

const area = 'Analytics'

export const INTERVALS = ['DAY', 'WEEK', 'MONTH'] as const

const span = {
  to: timestamp.nullish().describe('Now unless given.'),
  interval: z.enum(INTERVALS).nullish().describe('DAY unless given.'),
}
/** The longest time that can be asked for at once. */
export const MOST_YEARS_MS = 3 * 366 * 86_400_000

function runsForward(
  { from, to }: { from?: Date | null | undefined; to?: Date | null | undefined },
  issues: z.core.$RefinementCtx,
): void {
  const end = to?.getTime() ?? now().getTime()
  const start = from?.getTime() ?? end
  if (start > end) issues.addIssue({ code: 'custom', path: ['from'], message: 'The start must not be after the end.' })
  else if (end - start > MOST_YEARS_MS)
    issues.addIssue({ code: 'custom', path: ['from'], message: 'At most three years can be asked for at once.' })
}

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
      ...span,
      listing_id: uuid.nullish(),
      collection_id: uuid.nullish(),
      mode: z.enum(['TEST', 'LIVE']).nullish(),
    })
    .superRefine(runsForward),
  response: z.object({
    from: timestamp,
    to: timestamp,
    interval: z.enum(INTERVALS),
    totals: z.array(sales),
    series: z.array(z.object({ start: timestamp, sales: z.array(sales) })),
  }),
})

/** How far claims came. Each claim counts at most once in each figure. */
export const funnel = z
  .object({
    created: count.describe('All claims.'),
    sent: count.describe('A mail with the link left.'),
    delivered: count.describe(
      'The mail provider reported that one arrived. Providers that report nothing leave this at 0.',
    ),
    bounced: count.describe('One was returned, and none arrived since.'),
    opened: count.describe('A person opened the link; machines that look at mail don’t count.'),
    pin_asked: count,
    claimed: count.describe('Redeemed, or on the chain already.'),
    expired: count,
    revoked: count,
    reminded: count,
  })
  .meta({ id: 'ClaimFunnel' })

const figures = z.object({
  from: timestamp,
  to: timestamp,
  interval: z.enum(INTERVALS),
  totals: funnel,
  series: z.array(z.object({ start: timestamp, claims: funnel })),
})
const counting =
  'A claim counts, with all that became of it since, in the interval in which it was made. Who asked for a PIN, or redeemed, has opened the link. Intervals are those of UTC; a week begins on Monday. Ones without a claim are there, empty.'

export const countClaims = endpoint({
  id: 'count-claims',
  method: 'GET',
  path: '/v1/analytics/claims',
  area,
  auth: 'api_key',
  permission: 'analytics:read',
  summary: 'Email claim figures',
  description: counting,
  query: z
    .object({
      from: timestamp.nullish().describe('30 days before the end unless given; rounded down to its interval.'),
      ...span,
      campaign_id: uuid.nullish(),
      collection_id: uuid.nullish(),
    })
    .superRefine(runsForward),
  response: figures,
})

export const countCampaign = endpoint({
  id: 'count-campaign',
  method: 'GET',
  path: '/v1/analytics/campaigns/{campaign_id}',
  area,
  auth: 'api_key',
  permission: 'analytics:read',
  summary: 'A campaign’s funnel',
  description: counting,
  params: z.object({ campaign_id: uuid }),
  query: z
    .object({
      from: timestamp
        .nullish()
        .describe('Since the campaign began unless given, but at most three years; rounded down to its interval.'),
      ...span,
      collection_id: uuid.nullish(),
    })
    .superRefine(runsForward),
  response: figures,
})
