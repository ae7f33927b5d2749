import { z } from 'zod'
import { address, safeString, timestamp, uuid } from '../../core/wire.ts'
import { endpoint } from './endpoint.ts'
import { PAYMENT_PROVIDERS } from './listing-record.ts'
import { area, createdPurchaseIntent, params, signature } from './purchases.ts'

/** The actions of an address's owner on an open voucher purchase in its name. */
const ADDRESS_ACTIONS = ['CLOSE', 'TAKE_OVER'] as const

const field = z.object({ name: z.string(), type: z.string() })

const challenge = z
  .object({
    required: z.boolean().describe('Whether a purchase by this client needs a proof now.'),
    kind: z.enum(['proof_of_work']),
    challenge: z.string(),
    difficulty: z
      .int()
      .describe(
        'Find a nonce so that SHA-256 of `<challenge>.<nonce>` begins with this many zero bits; ' +
          'send `<challenge>.<nonce>` as `proof`.',
      ),
    expires_at: timestamp,
  })
  .meta({ id: 'ProofChallenge' })

export const getChallenge = endpoint({
  id: 'get-challenge',
  method: 'GET',
  path: '/public/v1/listings/{listing_id}/challenge',
  area,
  auth: 'anonymous',
  summary: 'Get a proof-of-work challenge for a listing',
  description:
    'Needed only where a purchase fails with `proof_required`: for listings that require it; and, except for a ' +
    'client’s first purchase, while more than half of the listing is in unpaid purchases and unopened claims, ' +
    'or when the client has come more often than is usual. A challenge is for this listing and client, ' +
    'is good for one purchase, and is harder than the one before.',
  params: z.object({ listing_id: uuid }),
  query: z.object({
    provider: z.enum(PAYMENT_PROVIDERS).nullish().describe('Ignored: the challenge is the same for each provider.'),
  }),
  response: challenge,
})

export const getAddressChallenge = endpoint({
  id: 'get-address-challenge',
  method: 'GET',
  path: '/public/v1/purchase-intents/{purchase_intent_id}/challenge',
  area,
  auth: 'anonymous',
  summary: 'Get a challenge for the address of an open voucher purchase',
  description:
    'Somebody else may have opened the purchase. Whoever signs the challenge with its address may close it ' +
    '(DELETE) or take it over. Each challenge is good once, for ten minutes, for that address and listing. ' +
    'For any other purchase 404.',
  params,
  query: z.object({ action: z.enum(ADDRESS_ACTIONS).nullish().describe('TAKE_OVER unless given.') }),
  response: z
    .object({
      typed_data: z
        .object({
          domain: z.object({ name: z.string(), version: z.string(), chainId: z.int() }),
          types: z.object({ PurchaseAction: z.array(field).readonly() }),
          primaryType: z.literal('PurchaseAction'),
          message: z.object({
            listingId: z.string(),
            address,
            action: z.enum(ADDRESS_ACTIONS),
            nonce: z.string().describe('Sent back beside the signature.'),
          }),
        })
        .describe('EIP-712 typed data, as `eth_signTypedData_v4` and libraries take it.'),
      expires_at: timestamp,
    })
    .meta({ id: 'AddressChallenge' }),
})

export const takeOverPurchaseIntent = endpoint({
  id: 'take-over-purchase-intent',
  method: 'POST',
  path: '/public/v1/purchase-intents/{purchase_intent_id}/take-over',
  area,
  auth: 'anonymous',
  summary: 'Take over an open voucher purchase',
  description:
    'Returns the purchase with a new secret to whoever signed a challenge with action TAKE_OVER by its address. ' +
    'Earlier secrets are void, and an email that was given with it is forgotten.',
  params,
  body: z.strictObject({
    nonce: safeString.describe('Of the challenge that was signed.'),
    signature: signature.describe('Of the challenge’s typed data.'),
  }),
  response: createdPurchaseIntent,
  errors: ['signature_invalid', 'conflict', 'payout_address_missing', 'suspended'],
  example: { nonce: '1793534400000.ZXhhbXBsZQ.c2lnbmF0dXJl', signature: `0x${'ab'.repeat(65)}` },
})
