import { z } from 'zod'
import { safeString } from '../../core/wire.ts'
import { endpoint } from './endpoint.ts'

const area = 'Email templates'

const text = z
  .string()
  .trim()
  .min(1)
  .max(2_000)
  .regex(/^[^\p{Cc}]*$/u, 'Control characters are not allowed.')

const emailWords = z
  .object({
    words: z
      .record(z.string(), z.record(z.string(), z.string()))
      .describe('By language, then by key: what stands in the place of built-in words.'),
    glossary: z.array(z.string()).describe('Names and symbols that are never translated.'),
  })
  .meta({ id: 'EmailWords' })

export const getEmailWords = endpoint({
  id: 'get-email-words',
  method: 'GET',
  path: '/v1/email-words',
  area,
  auth: 'api_key',
  permission: 'email_templates:read',
  summary: 'Get the words that replace built-in ones',
  response: emailWords,
})

export const updateEmailWords = endpoint({
  id: 'update-email-words',
  method: 'PATCH',
  path: '/v1/email-words',
  area,
  auth: 'api_key',
  permission: 'email_templates:write',
  summary: 'Replace words of built-in mails',
  description:
    'By language and key, as in the catalogues (`messages/`). A text is ICU with the variables of the built-in one, ' +
    'and keeps the terms of the glossary. Plurals don’t nest and have at most 12 forms; ' +
    'with all forms written out a text takes at most 20 kB. null restores the built-in text. ' +
    'What isn’t named stays. Translations of items keep these terms too.',
  body: z.strictObject({
    words: z
      .record(z.string().max(35), z.record(z.string().max(100), text.nullable()))
      .optional()
      .describe('By language, then by key.'),
    glossary: z
      .array(safeString.trim().min(1).max(100))
      .max(200)
      .optional()
      .describe('All of them: names and symbols that are never translated.'),
  }),
  response: emailWords,
  errors: ['invalid_request'],
  example: {
    words: { de: { 'mail.gift.subject': '{organization_name} hat „{item_title}“ für Sie' } },
    glossary: ['Vitrine'],
  },
})
