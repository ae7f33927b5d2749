import { z } from 'zod'
import { email, optional, safeString, uuid } from '../../core/wire.ts'
import { endpoint, noContent } from './endpoint.ts'
import { STORY } from './story.ts'

export const REPORT_REASONS = [
  'FRAUD',
  'IMPERSONATION',
  'INFRINGEMENT',
  'ILLEGAL',
  'OFFENSIVE',
  'SPAM',
  'OTHER',
] as const

export const MAX_REPORT_LENGTH = 2000

/** A claim and a purchase are reported by whoever holds their secret; what is published by anybody. */
const subject = z.discriminatedUnion('type', [
  z.strictObject({ type: z.literal('CLAIM'), claim_token: safeString.describe('From the link in the mail.') }),
  z.strictObject({ type: z.literal('PURCHASE'), id: uuid, secret: safeString.describe('The purchase’s secret.') }),
  z.strictObject({ type: z.enum(['LISTING', 'COLLECTION', 'ITEM']), id: uuid }),
])

export const reportAbuse = endpoint({
  id: 'report-abuse',
  method: 'POST',
  path: '/public/v1/abuse-reports',
  area: 'Abuse reports',
  auth: 'anonymous',
  summary: 'Report abuse to the operator',
  description:
    'For those who run this service; the organization is shown neither the report nor who sent it. ' +
    'A repeated report of the same thing by the same client changes nothing while the first one is open. ' +
    'At most 10 things an hour by one client.',
  body: z.strictObject({
    subject,
    reason: z.enum(REPORT_REASONS),
    detail: optional(
      z
        .string()
        .trim()
        .max(MAX_REPORT_LENGTH)
        .regex(/^[^\p{Cc}]*(?:[\n\r\t][^\p{Cc}]*)*$/u, 'Control characters are not allowed.'),
    ).describe('What is wrong, in plain words.'),
    email: optional(email).describe('For an answer. Shown to the operator only.'),
  }),
  response: noContent,
  status: 204,
  errors: ['not_found', 'rate_limited'],
  example: {
    subject: { type: 'LISTING', id: STORY.listing },
    reason: 'IMPERSONATION',
    detail: 'This is not the gallery that it claims to be.',
  },
})
