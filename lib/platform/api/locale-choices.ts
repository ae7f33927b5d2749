import { z } from 'zod'
import { locale } from '../../core/wire.ts'
import { endpoint, noContent } from './endpoint.ts'
import { area as purchasesArea, params as purchaseParams, secret } from './purchases.ts'

export const chooseClaimLocale = endpoint({
  id: 'choose-claim-locale',
  method: 'PUT',
  path: '/public/v1/email-claims/{claim_token}/locale',
  area: 'Email claims',
  auth: 'claim_token',
  summary: 'Record the language that a recipient chose',
  description:
    'All further mails of the claim follow it. For pages with a choice of languages; ' +
    'where the view names that language already, nothing needs to be sent.',
  params: z.object({ claim_token: z.string().describe('From the link in the mail.') }),
  body: z.strictObject({ locale }),
  response: noContent,
  status: 204,
  errors: ['invalid_request'],
  example: { locale: 'de' },
})

export const choosePurchaseLocale = endpoint({
  id: 'choose-purchase-locale',
  method: 'PUT',
  path: '/public/v1/purchase-intents/{purchase_intent_id}/locale',
  area: purchasesArea,
  auth: 'purchase_secret',
  summary: 'Record the language that a buyer chose',
  description:
    'All further mails of the purchase and of its claims follow it. Where the purchase names that language already, ' +
    'nothing needs to be sent.',
  params: purchaseParams,
  query: secret,
  body: z.strictObject({ locale }),
  response: noContent,
  status: 204,
  errors: ['invalid_request'],
  example: { locale: 'de' },
})

export const chooseMemberLocale = endpoint({
  id: 'choose-member-locale',
  method: 'PUT',
  path: '/v1/me/locale',
  area: 'Organization',
  auth: 'api_key',
  summary: 'Record the language that a member chose',
  description:
    'All further mails to this person follow it, in each of their organizations. null: they follow the ' +
    'organization’s again. With the dashboard’s session only: an API key can’t choose for its member.',
  body: z.strictObject({
    locale: locale
      .nullable()
      .describe('A language as BCP 47 writes it; the nearest that we speak is recorded. null: none any more.'),
  }),
  response: noContent,
  status: 204,
  errors: ['forbidden', 'invalid_request'],
  example: { locale: 'de' },
})
