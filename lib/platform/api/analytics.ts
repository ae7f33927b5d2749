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
/** The longest period of one request. */
export const MAX_PERIOD_MS = 3 * 366 * 86_400_000

function checkPeriod(
  { from, to }: { from?: Date | null | undefined; to?: Date | null | undefined },
  issues: z.core.$RefinementCtx,
): void {
  // A value that was refused already is still the text that came.
  if (issues.issues.length > 0) return
  const end = to?.getTime() ?? now().getTime()
  const start = from?.getTime() ?? end
  if (start > end) issues.addIssue({ code: 'custom', path: ['from'], message: 'The start must not be after the end.' })
  else if (end - start > MAX_PERIOD_MS)
    issues.addIssue({ code: 'custom', path: ['from'], message: 'At most three years can be asked for at once.' })
}

/** Sales in one currency and mode. */
const sales = z
  .object({
    mode: z.enum(['TEST', 'LIVE']),
    currency: z.string(),
    currency_address: z.string().nullable().describe('The payment token’s; null for cards.'),
    currency_decimals: z.int(),
    purchases: count.describe('Paid or free purchases that were not refunded.'),
    units: count.describe('Units in those purchases, without those that were refunded by themselves.'),
    gross: z.string().describe('The sum of all payments, in minor units.'),
    refunds: count.describe('Refunded purchases.'),
    refunded: z.string().describe('The sum of all refunds, in minor units.'),
    net: z.string().describe('gross minus refunded.'),
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
    'A purchase counts in the interval in which it was paid, and its refund in the same one. ' +
    'Each currency and each mode is counted separately. Intervals are in UTC and weeks begin on Monday. ' +
    'Intervals without a sale are included, empty.',
  query: z
    .object({
      from: timestamp.nullish().describe('30 days before the end unless given; rounded down to its interval.'),
      ...span,
      listing_id: uuid.nullish(),
      collection_id: uuid.nullish(),
      mode: z.enum(['TEST', 'LIVE']).nullish(),
    })
    .superRefine(checkPeriod),
  response: z.object({
    from: timestamp,
    to: timestamp,
    interval: z.enum(INTERVALS),
    totals: z.array(sales),
    series: z.array(z.object({ start: timestamp, sales: z.array(sales) })),
  }),
})

/** How far claims advanced. Each claim counts at most once in each figure. */
export const funnel = z
  .object({
    created: count.describe('All claims.'),
    sent: count.describe('A mail with the link was sent.'),
    delivered: count.describe('The mail provider reported a delivery. It stays 0 with providers that report none.'),
    bounced: count.describe('A mail bounced, and none was delivered since.'),
    opened: count.describe('A person opened the link; mail scanners don’t count.'),
    pin_asked: count,
    claimed: count.describe('Redeemed, or minted already.'),
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
  'A claim counts, with all that happened to it since, in the interval in which it was created. ' +
  'Requesting a PIN or redeeming counts as opening. Intervals are in UTC and weeks begin on Monday. ' +
  'Intervals without a claim are included, empty.'

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
    .superRefine(checkPeriod),
  response: figures,
  errors: ['not_found'],
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
    .superRefine(checkPeriod),
  response: figures.extend({
    unsubscribed: count.describe(
      'Mailboxes that unsubscribed by one of its mails and haven’t undone it, over all time. ' +
        'They get no more gifts and reminders of the organization.',
    ),
  }),
})
