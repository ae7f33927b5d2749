import { z } from 'zod'
import { address, count, optional, safeString, timestamp, uuid } from '../../core/wire.ts'
import { endpoint, noContent } from './endpoint.ts'
import { claimItem, publicItem } from './items.ts'
import { mintVoucher } from './mint-vouchers.ts'

const area = 'Email claims'
const params = z.object({ claim_token: z.string().describe('From the link in the mail.') })

export const INACTIVE_REASONS = ['EXPIRED', 'LOCKED', 'REVOKED', 'CLAIMED', 'REPLACED'] as const
/** SUSPENDED: it isn’t offered at the moment; only the link shows this. */
const VIEW_REASONS = [...INACTIVE_REASONS, 'SUSPENDED'] as const
export const DELIVERY_STATES = ['NOT_STARTED', 'QUEUED', 'SUBMITTED', 'CONFIRMED', 'FAILED'] as const
export const TX_PAYERS = ['SELLER', 'BUYER'] as const

export const delivery = z
  .object({
    state: z.enum(DELIVERY_STATES),
    tx_hash: z.string().nullable(),
    network_id: z.int().nullable(),
    token_id: z.string().nullable(),
    explorer_url: z.string().nullable().describe('The transaction’s page for people.'),
    failure: z.string().nullable().describe('Why the last delivery did not arrive.'),
  })
  .meta({ id: 'Delivery' })

export const claimView = z
  .object({
    campaign_id: uuid.nullable(),
    is_active: z.boolean(),
    is_claimed: z.boolean(),
    is_declined: z.boolean().describe('The recipient declined it; inactive_reason is REVOKED then.'),
    inactive_reason: z.enum(VIEW_REASONS).nullable(),
    item: claimItem.nullable().describe('null only when the link was replaced.'),
    public_item: publicItem.nullable().describe('null only when the link was replaced.'),
    organization_id: uuid,
    quantity: count,
    voucher: mintVoucher.nullable().describe('The pending mint voucher, where the recipient pays for the transaction.'),
    email_hint: z
      .string()
      .nullable()
      .describe('The masked address that PINs go to.')
      .meta({ example: 'a•••@e•••.com' }),
    expires_at: timestamp.nullable(),
    tx_payer: z.enum(TX_PAYERS),
    locale: z
      .string()
      .nullable()
      .describe('The language that the recipient chose, or the claim or its campaign names; null: the organization’s.'),
    delivery,
  })
  .meta({ id: 'ClaimView' })

const redeemResult = z
  .object({
    status: z
      .enum(['CLAIMED', 'VOUCHER_ISSUED'])
      .describe(
        'CLAIMED: the token is on its way (tx_payer SELLER). VOUCHER_ISSUED: ' +
          'the recipient must send the voucher (BUYER).',
      ),
    voucher: mintVoucher.nullable(),
  })
  .meta({ id: 'RedeemResult' })

export const getClaimView = endpoint({
  id: 'P3',
  method: 'GET',
  path: '/public/v1/email-claims/{claim_token}',
  area,
  auth: 'claim_token',
  summary: 'Get what a claim token redeems',
  description: 'Changes nothing. Every token ever issued is found; of a replaced one only that fact is shown.',
  params,
  response: claimView,
})

export const provePin = endpoint({
  id: 'prove-pin',
  method: 'POST',
  path: '/public/v1/email-claims/{claim_token}/pin',
  area,
  auth: 'claim_token',
  summary: 'Show a claim’s PIN before redeeming',
  description:
    'For pages that ask for the PIN first. A wrong PIN counts as it does when redeeming. A right one isn’t used up: ' +
    'the answer sets a cookie, with which `POST /public/v1/email-claims/{claim_token}/redeem` needs no PIN ' +
    'from this browser until `expires_at`, as long as no other PIN was sent and the link wasn’t sent again, ' +
    'replaced or locked. The answer to a repeat with the same Idempotency-Key sets no cookie.',
  params,
  body: z.strictObject({
    pin: optional(safeString).describe('From the mail that `POST /public/v1/email-claims/{claim_token}/verify` sends.'),
  }),
  response: z
    .object({ expires_at: timestamp.describe('Until then this browser can redeem without the PIN.') })
    .meta({ id: 'PinProof' }),
  errors: [
    'pin_required',
    'pin_wrong',
    'pin_expired',
    'claim_locked',
    'claim_already_claimed',
    'claim_not_active',
    'sold_out',
    'suspended',
  ],
  example: { pin: '048213' },
})

export const checkRecipient = endpoint({
  id: 'check-recipient',
  method: 'GET',
  path: '/public/v1/email-claims/{claim_token}/recipient',
  area,
  auth: 'claim_token',
  summary: 'Check an address before redeeming to it',
  description:
    'What a person should know of an address that they typed. Nothing of it refuses a redemption: a contract may be ' +
    'a wallet, and `POST /public/v1/email-claims/{claim_token}/redeem` asks it itself whether it takes the token.',
  params,
  query: z.object({ address }),
  response: z
    .object({
      is_contract: z.boolean().describe('A contract has this address on the item’s network.'),
      is_senders_own: z
        .boolean()
        .describe(
          'The address is the sender’s payout address, one of their operators or signers, ' +
            'or the collection’s contract.',
        ),
    })
    .meta({ id: 'RecipientCheck' }),
})

export const resolveRecipientName = endpoint({
  id: 'resolve-recipient-name',
  method: 'POST',
  path: '/public/v1/email-claims/{claim_token}/recipient-name',
  area,
  auth: 'claim_token',
  summary: 'Find the address of an ENS name',
  description:
    'For pages where people type a name in place of an address. The server asks Ethereum, ' +
    'and the gateways of names that are kept elsewhere (ERC-3668). Show the address and let the person confirm it: ' +
    'a name may stand for another one tomorrow. Redeem with the address.',
  params,
  body: z.strictObject({ name: safeString.describe('Such as alice.eth.') }),
  response: z
    .object({
      address: address.nullable().describe('null: the name has none, or this installation has no node of Ethereum.'),
    })
    .meta({ id: 'RecipientName' }),
  errors: ['claim_locked', 'claim_already_claimed', 'claim_not_active', 'suspended', 'unavailable'],
  example: { name: 'alice.eth' },
})

export const redeemClaim = endpoint({
  id: 'P4',
  method: 'POST',
  path: '/public/v1/email-claims/{claim_token}/redeem',
  area,
  auth: 'claim_token',
  summary: 'Redeem a claim with its PIN',
  description:
    'A missing PIN, a missing address and an address that can’t receive don’t count as an attempt. ' +
    'Redeeming twice never mints twice. While no node of the network answers, a redemption that the seller pays ' +
    'is taken all the same and waits (`delivery.state` QUEUED). Its address is asked before anything is sent: ' +
    'a contract that refuses costs nothing, the claim opens again, and its recipient gets a mail.',
  params,
  body: z.strictObject({
    address: optional(address).describe('Where the token should go.'),
    pin: optional(safeString).describe(
      'From the mail that `POST /public/v1/email-claims/{claim_token}/verify` sends. ' +
        'A browser that has shown it to `POST /public/v1/email-claims/{claim_token}/pin` may leave it out.',
    ),
  }),
  response: redeemResult,
  status: 201,
  errors: [
    'pin_required',
    'address_required',
    'address_cannot_receive',
    'pin_wrong',
    'pin_expired',
    'claim_locked',
    'claim_already_claimed',
    'claim_not_active',
    'conflict',
    'voucher_running_out',
    'gas_budget_spent',
    'sold_out',
    'recovering',
    'operator_gone',
    'voucher_unsupported',
    'suspended',
  ],
  example: { address: '0x70997970C51812dc3A010C7d01b50e0d17dc79C8', pin: '048213' },
})

export const declineClaim = endpoint({
  id: 'decline-claim',
  method: 'POST',
  path: '/public/v1/email-claims/{claim_token}/decline',
  area,
  auth: 'claim_token',
  summary: 'Decline a gift',
  description:
    'Whoever has the mailbox doesn’t want it: the claim is revoked and its units return to stock, for good. ' +
    'It takes the PIN, or a browser that has shown it to `POST /public/v1/email-claims/{claim_token}/pin`. ' +
    'What was bought can’t be declined.',
  params,
  body: z.strictObject({
    pin: optional(safeString).describe(
      'From the mail that `POST /public/v1/email-claims/{claim_token}/verify` sends. ' +
        'A browser that has shown it to `POST /public/v1/email-claims/{claim_token}/pin` may leave it out.',
    ),
  }),
  response: noContent,
  status: 204,
  errors: [
    'pin_required',
    'pin_wrong',
    'pin_expired',
    'claim_locked',
    'claim_already_claimed',
    'claim_not_active',
    'conflict',
    'recovering',
    'suspended',
  ],
  example: { pin: '048213' },
})

export const handOverClaim = endpoint({
  id: 'hand-over-claim',
  method: 'POST',
  path: '/public/v1/email-claims/{claim_token}/handover',
  area,
  auth: 'claim_token',
  summary: 'Make an address that opens a claim in another browser',
  description:
    'For going on in the app of a wallet, or on a phone. The address holds a code in place of the claim token, ' +
    'since apps pass addresses on: it opens the claim once, after a button was pressed there, ' +
    'within five minutes, and asks for the PIN like the link itself. A claim has one such code at a time; ' +
    'it ends when the claim is redeemed, revoked or its link replaced.',
  params,
  response: z
    .object({
      url: z
        .string()
        .describe('The page that opens the claim.')
        .meta({ example: 'https://vitrine.example/h/q8Zb3nL0Yw6tKd1fRcVx2A' }),
      expires_at: timestamp.describe('When the address stops working.'),
    })
    .meta({ id: 'ClaimHandover' }),
  status: 201,
  errors: ['invalid_request', 'claim_locked', 'claim_already_claimed', 'claim_not_active', 'suspended'],
})

// The contract's words: `verify` mails the PIN, and `pin` checks it.
export const sendPin = endpoint({
  id: 'P5',
  method: 'POST',
  path: '/public/v1/email-claims/{claim_token}/verify',
  area,
  auth: 'claim_token',
  summary: 'Send a PIN to the claim’s mailbox',
  description:
    'Six digits, good for 10 minutes and one use; an earlier PIN is void. PINs are mailed at least 60 seconds apart ' +
    'and at most 5 an hour; a request before that is refused with `rate_limited`.',
  params,
  response: claimItem,
  status: 201,
  errors: [
    'invalid_request',
    'claim_locked',
    'claim_already_claimed',
    'claim_not_active',
    'address_suppressed',
    'rate_limited',
    'suspended',
  ],
})

export const openClaim = endpoint({
  id: 'open-claim',
  method: 'POST',
  path: '/public/v1/email-claims/{claim_token}/opened',
  area,
  auth: 'claim_token',
  summary: 'Record that a person opened the link',
  description: 'For the funnel’s figures only. The claim page’s script sends it; mail scanners don’t.',
  params,
  response: noContent,
  status: 204,
  errors: ['invalid_request'],
})
