import { z } from 'zod'
import { pageOf, pageQuery } from '../../core/page.ts'
import { address, count, email, locale, optional, quantity, safeString, timestamp, uuid } from '../../core/wire.ts'
import { endpoint, noContent } from './endpoint.ts'
import { delivery, INACTIVE_REASONS, TX_PAYERS } from './public-claims.ts'
import { STORY } from './story.ts'

const area = 'Email claims'
const params = z.object({ email_claim_id: uuid })

export const emailClaim = z
  .object({
    id: uuid,
    item_id: uuid,
    collection_id: uuid,
    token_id: z.string().nullable(),
    email,
    quantity: count,
    active: z.boolean().describe('Whether it can be redeemed.'),
    claimed: z.boolean(),
    claimed_at: timestamp
      .nullable()
      .describe('SELLER: when it was redeemed. BUYER: when its mint was seen on the chain.'),
    created_at: timestamp,
    expiration: timestamp.nullable().describe('null: never.'),
    last_pin_code_email_sent_at: timestamp.nullable(),
    tx_hash: z.string().nullable(),
    tx_payer: z.enum(TX_PAYERS),
    voucher_id: uuid.nullable(),
    campaign_id: uuid.nullable(),
    locale: z
      .string()
      .nullable()
      .describe(
        'The language of its page and mails: what was given, or what the recipient chose on the page. ' +
          'null: the campaign’s, else the organization’s.',
      ),
    claim_url: z
      .string()
      .nullable()
      .describe(
        'The link in the mail. Whoever has it still needs the PIN. null: it is void, ' +
          'because the server key that made it was removed; sending it again makes a new one.',
      ),
    inactive_reason: z.enum(INACTIVE_REASONS).nullable(),
    new_link_needed: z
      .boolean()
      .describe(
        '50 wrong PINs were typed at its link: it works again only with a new link (new_link when sending it again).',
      ),
    to_address: address.nullable().describe('The address the recipient chose.'),
    opened_at: timestamp.nullable().describe('When a person first opened the link.'),
    redeemed_at: timestamp.nullable(),
    delivered_at: timestamp.nullable().describe('When its mint was confirmed on the chain.'),
    declined_at: timestamp.nullable().describe('When the recipient declined it; inactive_reason is REVOKED then.'),
    transfer_id: uuid
      .nullable()
      .describe(
        'The transfer by which a holder sent the item to this mailbox: it is theirs, ' +
          'so the claim can’t be revoked or sent to another address. null: the organization sends it.',
      ),
    delivery,
  })
  .meta({ id: 'EmailClaim' })

export const claimMail = z
  .object({
    id: uuid,
    template_type: z.string(),
    email,
    state: z.enum(['PENDING', 'SENT', 'FAILED', 'DISCARDED']),
    attempts: z.int(),
    failure: z.string().nullable(),
    created_at: timestamp,
    sent_at: timestamp.nullable(),
    delivered_at: timestamp
      .nullable()
      .describe('When the recipient’s mail server accepted it, if the organization’s mail provider reports that.'),
    bounced_at: timestamp.nullable(),
    complained_at: timestamp.nullable().describe('When the recipient reported it as spam.'),
  })
  .meta({ id: 'ClaimMail' })

const emailClaimInFull = emailClaim
  .extend({ mails: z.array(claimMail).describe('What was mailed for it, newest first; at most 50.') })
  .meta({ id: 'EmailClaimInFull' })

const exampleClaim = { email: 'ada@example.com', item_id: STORY.item }

export const listEmailClaims = endpoint({
  id: 'list-email-claims',
  method: 'GET',
  path: '/v1/email-claims',
  area,
  auth: 'api_key',
  permission: 'email_claims:read',
  summary: 'List email claims',
  query: pageQuery(100).extend({
    item_id: uuid.nullish(),
    collection_id: uuid.nullish(),
    campaign_id: uuid.nullish(),
    email: email.nullish(),
    state: z.enum(['ACTIVE', 'CLAIMED', 'EXPIRED', 'LOCKED', 'REVOKED']).nullish(),
    active: z.enum(['true', 'false']).nullish(),
    claimed: z.enum(['true', 'false']).nullish(),
    search: safeString.nullish().describe('What the mailbox begins with, in any case.'),
  }),
  response: pageOf(emailClaim),
})

const newClaim = z.strictObject({
  email,
  item_id: uuid,
  quantity: optional(quantity).describe('1 unless given; more than 1 on ERC-1155 only.'),
  tx_payer: optional(z.enum(TX_PAYERS)).describe('SELLER unless given.'),
  campaign_id: optional(uuid),
  locale: optional(locale).describe('The recipient’s language; the campaign’s, else the organization’s unless given.'),
  expiration: optional(timestamp).describe('30 days from now unless given.'),
})

export const createEmailClaim = endpoint({
  id: 'create-email-claim',
  method: 'POST',
  path: '/v1/email-claims',
  area,
  auth: 'api_key',
  permission: 'email_claims:write',
  summary: 'Send an item to an email address',
  description:
    'Holds the units and mails the link. The item must be locked and its collection deployed. A token in custody of ' +
    'our operator (the item’s kept_by) is transferred instead of minted; tx_payer must be SELLER then.',
  body: newClaim,
  response: emailClaim,
  status: 201,
  errors: [
    'not_found',
    'mint_not_allowed',
    'item_not_locked',
    'collection_not_deployed',
    'sold_out',
    'in_escrow',
    'suspended',
    'recovering',
    'operator_gone',
    'supply_invalid',
    'voucher_unsupported',
    'address_suppressed',
  ],
  example: exampleClaim,
})

const MOST_AT_ONCE = 500

export const createEmailClaims = endpoint({
  id: 'create-email-claims',
  method: 'POST',
  path: '/v1/email-claims/bulk',
  area,
  auth: 'api_key',
  permission: 'email_claims:write',
  summary: 'Send items to many email addresses',
  description:
    'What POST /v1/email-claims does, for up to 500 claims. Each is made or refused by itself; ' +
    'the answer has a verdict for each, in their order. A malformed one refuses the whole request with 400.',
  body: z.strictObject({ claims: z.array(newClaim).min(1).max(MOST_AT_ONCE) }),
  response: z.object({
    results: z.array(
      z
        .object({
          index: z.int().describe('The place of the claim in the request, from 0.'),
          status: z
            .int()
            .describe('What POST /v1/email-claims would have answered: 201, or the status of the problem.'),
          claim: emailClaim.nullable().describe('null where it was refused.'),
          problem: z
            .object({
              code: z.string().describe('The kind of failure, for programs.'),
              title: z.string(),
              status: z.int(),
              detail: z.string(),
              errors: z.array(
                z.object({
                  field: z.string(),
                  code: z.string().describe('What is wrong with it, for programs.'),
                  detail: z.string(),
                }),
              ),
            })
            .nullable()
            .describe('Why it was refused; null where it was made.'),
        })
        .meta({ id: 'EmailClaimVerdict' }),
    ),
  }),
  example: { claims: [exampleClaim] },
})

export const getEmailClaim = endpoint({
  id: 'get-email-claim',
  method: 'GET',
  path: '/v1/email-claims/{email_claim_id}',
  area,
  auth: 'api_key',
  permission: 'email_claims:read',
  summary: 'Get an email claim',
  params,
  response: emailClaimInFull,
})

export const revokeEmailClaim = endpoint({
  id: 'revoke-email-claim',
  method: 'DELETE',
  path: '/v1/email-claims/{email_claim_id}',
  area,
  auth: 'api_key',
  permission: 'email_claims:write',
  summary: 'Revoke an email claim',
  description:
    'Its link stops working and its units are released. A mint voucher that was issued already is ' +
    'cancelled on the chain first.',
  params,
  response: noContent,
  status: 204,
  errors: ['claim_already_claimed', 'claim_not_active', 'in_escrow', 'mode_mismatch', 'recovering'],
})

export const resendEmailClaim = endpoint({
  id: 'resend-email-claim',
  method: 'POST',
  path: '/v1/email-claims/{email_claim_id}/resend',
  area,
  auth: 'api_key',
  permission: 'email_claims:write',
  summary: 'Send an email claim’s link again',
  description:
    'Unlocks a locked claim. For the same address the link stays the same unless new_link is true; ' +
    'a corrected address always gets a new link. The old link stops working then. ' +
    'After 50 wrong PINs at one link only a new one helps. It is sent again at most once a minute and five times ' +
    'an hour; to a corrected address at once. Beyond that 429, and nothing is changed.',
  params,
  body: z.strictObject({
    email: optional(email).describe('The corrected address.'),
    new_link: optional(z.boolean()).describe('Replaces the link by a new one; false unless given.'),
  }),
  response: emailClaim,
  errors: [
    'claim_already_claimed',
    'claim_not_active',
    'claim_locked',
    'voucher_out',
    'in_escrow',
    'address_suppressed',
    'suspended',
  ],
  example: { email: 'ada.lovelace@example.com' },
})
