import { z } from 'zod'
import { pageOf, pageQuery } from '../../core/page.ts'
import { locale, safeString, timestamp, uuid } from '../../core/wire.ts'
import { endpoint, noContent } from './endpoint.ts'

const area = 'Marketing campaigns'
const params = z.object({ campaign_id: uuid })

const name = safeString.trim().min(1)
const emailFrom = safeString
  .trim()
  .min(1)
  .describe(
    'The sender of mails; `<Organization name> via Vitrine` unless given, or the name alone where `shows_vitrine` is ' +
      'false. It may contain an address of the active email integration’s domain.',
  )
const reminderDays = z
  .int()
  .min(0)
  .max(60)
  .describe('Days before a claim expires at which a reminder is sent; 0: none.')

const SEND_AT =
  'When the first mails of its gifts leave: those of claims that nobody paid for. Claims can be made before. ' +
  'null, or a time that is past: at once.'

const LOCALE =
  'The language of its pages and mails, where a claim or purchase has none of its own. null: the organization’s.'

/** A time whose JSON form has a numeric offset instead of Z. */
const offsetTime = z
  .codec(timestamp.in, z.date(), {
    decode: (text) => new Date(text),
    encode: (date) => date.toISOString().replace('Z', '+00:00'),
  })
  .meta({ description: 'ISO 8601 date-time with its offset.', example: '2026-11-20T12:00:00.000+00:00' })

export const campaign = z
  .object({
    id: uuid,
    name: z.string(),
    email_from: z.string(),
    reminder_days: reminderDays,
    send_at: timestamp.nullable().describe(SEND_AT),
    locale: z.string().nullable().describe(LOCALE),
    created_at: offsetTime,
  })
  .meta({ id: 'MarketingCampaign' })

export const createCampaign = endpoint({
  id: 'A6',
  method: 'POST',
  path: '/v1/marketing-campaigns',
  area,
  auth: 'api_key',
  permission: 'campaigns:write',
  summary: 'Create a marketing campaign',
  description:
    'Its mails share a sender, templates and a reminder. Listings and email claims refer to it by campaign_id.',
  body: z.strictObject({
    name,
    email_from: emailFrom.nullish(),
    reminder_days: reminderDays
      .nullish()
      .describe('Days before a claim expires at which a reminder is sent; 0: none. 3 unless given.'),
    send_at: timestamp.nullish().describe(SEND_AT),
    locale: locale.nullish().describe(LOCALE),
  }),
  response: campaign,
  status: 201,
  errors: ['name_taken'],
  example: { name: 'Spring drop', email_from: 'Museum of Dawn' },
})

export const updateCampaign = endpoint({
  id: 'A7',
  method: 'PATCH',
  path: '/v1/marketing-campaigns/{campaign_id}',
  area,
  auth: 'api_key',
  permission: 'campaigns:write',
  summary: 'Edit a marketing campaign',
  params,
  body: z.strictObject({
    name: name.optional(),
    email_from: emailFrom.nullish().describe('null: the default again.'),
    reminder_days: reminderDays.optional(),
    send_at: timestamp.nullish().describe('Gifts whose first mail still waits leave at the new time. null: at once.'),
    locale: locale.nullish().describe('Of mails that are written from now on. null: the organization’s.'),
  }),
  response: campaign,
  errors: ['name_taken'],
  example: { email_from: 'Museum of Dawn' },
})

export const listCampaigns = endpoint({
  id: 'A8',
  method: 'GET',
  path: '/v1/marketing-campaigns',
  area,
  auth: 'api_key',
  permission: 'campaigns:read',
  summary: 'List marketing campaigns',
  query: pageQuery(1000).extend({ name: safeString.nullish().describe('The whole name, exactly.') }),
  response: pageOf(campaign),
})

export const deleteCampaign = endpoint({
  id: 'A9',
  method: 'DELETE',
  path: '/v1/marketing-campaigns/{campaign_id}',
  area,
  auth: 'api_key',
  permission: 'campaigns:write',
  summary: 'Delete a marketing campaign',
  description:
    'Its templates are deleted too. Listings and email claims that used it fall back to the organization’s ' +
    'templates, or the platform’s. Mails of its gifts that wait for `send_at` leave then all the same, with the ' +
    'campaign’s sender and the templates that are in use then; revoke their claims first if they must not leave.',
  params,
  response: noContent,
  status: 204,
})

export const getCampaign = endpoint({
  id: 'get-campaign',
  method: 'GET',
  path: '/v1/marketing-campaigns/{campaign_id}',
  area,
  auth: 'api_key',
  permission: 'campaigns:read',
  summary: 'Get a marketing campaign',
  params,
  response: campaign,
})
