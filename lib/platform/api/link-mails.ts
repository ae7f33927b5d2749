import { z } from 'zod'
import { email, locale, optional } from '../../core/wire.ts'
import { endpoint, noContent } from './endpoint.ts'

export const mailLinks = endpoint({
  id: 'mail-links',
  method: 'POST',
  path: '/public/v1/link-mails',
  area: 'Email claims',
  auth: 'anonymous',
  summary: 'Mail the links of a mailbox again',
  description:
    'One mail to this mailbox with the links of its open claims and of its purchases, of all organizations ' +
    'of this installation; none where there is nothing. The answer is the same for every address. ' +
    'The links are those that were mailed before: none is made, replaced or unlocked. ' +
    'At most 3 mails an hour to a mailbox, and 10 different mailboxes an hour by one client.',
  body: z.strictObject({
    email: email.describe('The mailbox that the links were mailed to.'),
    locale: optional(locale).describe('Of the mail; that of the newest claim or purchase unless given.'),
  }),
  response: noContent,
  status: 204,
  errors: ['rate_limited'],
  example: { email: 'ada@example.com' },
})
