import { z } from 'zod'
import { digits, safeString, uuid } from '../../core/wire.ts'
import { endpoint } from './endpoint.ts'
import { params as purchaseParams, secret as purchaseSecret } from './purchases.ts'

/** The longest that a page waits for a change. */
const MAX_WAIT_SECONDS = 30

const query = z.object({
  after: safeString
    .nullish()
    .describe('The `version` of the answer before. Without it, or with another one, the answer comes at once.'),
  wait: digits(0, MAX_WAIT_SECONDS)
    .default(0)
    .describe(`How many seconds to wait for another version at most, 0..${MAX_WAIT_SECONDS}.`),
})

const response = z
  .object({
    version: z
      .string()
      .describe(
        'Another one than before: read it again. It may change where nothing that is shown has. ' +
          'It says nothing but that.',
      ),
  })
  .meta({ id: 'Version' })

const description = (what: string) =>
  `For open pages: ask for the version, read ${what}, and then ask again with \`after\` and \`wait\`; ` +
  'the answer comes within about a second of a change. 50 pages of one client may wait at once. ' +
  'One that is refused reads again now and then instead.'

export const waitForListing = endpoint({
  id: 'wait-for-listing',
  method: 'GET',
  path: '/public/v1/listings/{listing_id}/changes',
  area: 'Listings',
  auth: 'anonymous',
  summary: 'Wait for a change of a listing',
  description: `${description('the listing')} What only the clock changes, such as its end, is in the listing itself.`,
  params: z.object({ listing_id: uuid }),
  query,
  response,
  errors: ['not_found'],
  waits: true,
})

export const waitForClaim = endpoint({
  id: 'wait-for-claim',
  method: 'GET',
  path: '/public/v1/email-claims/{claim_token}/changes',
  area: 'Email claims',
  auth: 'claim_token',
  summary: 'Wait for a change of what a claim token redeems',
  description: description('what the token redeems'),
  params: z.object({ claim_token: z.string().describe('From the link in the mail.') }),
  query,
  response,
  waits: true,
})

export const waitForPurchase = endpoint({
  id: 'wait-for-purchase-intent',
  method: 'GET',
  path: '/public/v1/purchase-intents/{purchase_intent_id}/changes',
  area: 'Purchase intents',
  auth: 'purchase_secret',
  summary: 'Wait for a change of a purchase',
  description: description('the purchase'),
  params: purchaseParams,
  query: query.extend(purchaseSecret.shape),
  response,
  waits: true,
})

export const waitForTransfer = endpoint({
  id: 'wait-for-transfer',
  method: 'GET',
  path: '/public/v1/transfers/{transfer_id}/changes',
  area: 'Transfers',
  auth: 'anonymous',
  summary: 'Wait for a change of a transfer',
  description: description('the transfer'),
  params: z.object({ transfer_id: uuid.describe('Id of the transfer.') }),
  query,
  response,
  errors: ['not_found'],
  waits: true,
})
