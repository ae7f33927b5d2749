import { z } from 'zod'
import { pageOf, pageQuery } from '../../core/page.ts'
import { readSender } from '../../core/sender.ts'
import { email, optional, safeString, timestamp, uuid } from '../../core/wire.ts'
import { endpoint, noContent } from './endpoint.ts'

const area = 'Email integrations'
const params = z.object({ integration_id: uuid })

export const MAIL_PROVIDERS = ['MAIL_API', 'CLOUD_MAIL', 'CUSTOM_SMTP'] as const
export type MailProvider = (typeof MAIL_PROVIDERS)[number]

const sender = safeString
  .trim()
  .refine(
    (text) => readSender(text) !== null,
    'Give an address, with or without a name before it: Night Gallery <drops@gallery.example>.',
  )
  .meta({ example: 'Night Gallery <drops@gallery.example>' })
const requiredText = safeString.min(1, 'This field is required.')
const secret = z
  .string()
  .min(1, 'This field is required.')
  .max(500)
  .regex(/^[^\p{Cc}]*$/u, 'Control characters are not allowed.')
const port = z.int().min(1, 'A port is a number from 1 to 65535.').max(65535, 'A port is a number from 1 to 65535.')

const HOST_NAME = /^(?=.{1,253}$)[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?(?:\.[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?)*$/i
const hostName = safeString
  .trim()
  .toLowerCase()
  .regex(HOST_NAME, 'This is not a host name, such as mail.gallery.example.')
const domain = hostName.refine((text) => text.includes('.'), 'This is not a domain, such as mg.gallery.example.')
const host = z.union([hostName, z.ipv6()], 'This is not a host name or an IP address.')
const awsRegion = safeString.regex(/^[a-z]{2}(-[a-z]+)+-\d$/, 'This is not a region of Amazon’s, such as eu-west-1.')

const senders = {
  email_from: sender,
  email_reply_to: optional(sender).describe('Where replies go. Unless given, to email_from.'),
}

/** The configuration of each provider. MAIL_SECRETS names the secret fields. */
export const MAIL_CONFIGS = {
  MAIL_API: z.strictObject({
    ...senders,
    domain,
    api_key: secret,
    region: z.enum(['US', 'EU']),
    webhook_signing_key: optional(secret).describe(
      'Signs the events Mailgun posts to us. Unless given, api_key is tried.',
    ),
  }),
  CLOUD_MAIL: z.strictObject({
    ...senders,
    smtp_username: requiredText,
    smtp_password: secret,
    region: awsRegion,
    port: optional(port).describe('587 unless given.'),
  }),
  CUSTOM_SMTP: z.strictObject({
    ...senders,
    username: requiredText,
    password: secret,
    host,
    port: optional(port).describe('587 unless given; 465 is TLS from the start.'),
  }),
} as const satisfies Record<MailProvider, z.ZodObject>

export const MAIL_SECRETS = {
  MAIL_API: ['api_key', 'webhook_signing_key'],
  CLOUD_MAIL: ['smtp_password'],
  CUSTOM_SMTP: ['password'],
} as const satisfies Record<MailProvider, readonly string[]>

const shownConfig = z
  .object({
    email_from: z.string(),
    email_reply_to: z.string().nullable(),
    domain: z.string(),
    region: z.string(),
    host: z.string(),
    port: z.int().nullable(),
    smtp_username: z.string(),
    username: z.string(),
    api_key_set: z.boolean(),
    webhook_signing_key_set: z.boolean(),
    smtp_password_set: z.boolean(),
    password_set: z.boolean(),
  })
  .partial()
  .describe('The provider’s fields as given. A secret is never shown: `<name>_set` is whether there is one.')

export const emailIntegration = z
  .object({
    id: uuid,
    provider: z.enum(MAIL_PROVIDERS),
    status: z
      .enum(['PENDING', 'ACTIVE', 'FAILED'])
      .describe(
        'Only an ACTIVE integration sends the organization’s mail; until then the installation’s own server does. ' +
          'FAILED: its last test message was not accepted.',
      ),
    config: shownConfig,
    last_error: z.string().nullable().describe('The mail server’s answer when it last did not accept a mail.'),
    activated_at: timestamp.nullable(),
    webhook_url: z
      .string()
      .nullable()
      .describe(
        'Where Mailgun is to post its events (permanent failure, spam complaint, delivered); null for other providers.',
      ),
    created_at: timestamp,
    updated_at: timestamp,
  })
  .meta({ id: 'EmailIntegration' })

const exampleConfig = {
  email_from: 'Night Gallery <drops@gallery.example>',
  domain: 'mg.gallery.example',
  api_key: 'your-private-api-key',
  region: 'EU',
}

export const listEmailIntegrations = endpoint({
  id: 'list-email-integrations',
  method: 'GET',
  path: '/v1/email-integrations',
  area,
  auth: 'api_key',
  permission: 'email_integrations:read',
  summary: 'List email integrations',
  description: 'An organization has at most one.',
  query: pageQuery(100),
  response: pageOf(emailIntegration),
})

export const createEmailIntegration = endpoint({
  id: 'A1',
  method: 'POST',
  path: '/v1/email-integrations',
  area,
  auth: 'api_key',
  permission: 'email_integrations:write',
  summary: 'Set up the organization’s own mail',
  description:
    'MAIL_API is Mailgun’s API, CLOUD_MAIL is Amazon SES over SMTP, CUSTOM_SMTP any mail server. It is PENDING, and ' +
    'sends no mail, until `POST /v1/email-integrations/{integration_id}/activate` has sent a test message with it.',
  body: z.discriminatedUnion(
    'provider',
    [
      z.strictObject({ provider: z.literal('MAIL_API'), config: MAIL_CONFIGS.MAIL_API }),
      z.strictObject({ provider: z.literal('CLOUD_MAIL'), config: MAIL_CONFIGS.CLOUD_MAIL }),
      z.strictObject({ provider: z.literal('CUSTOM_SMTP'), config: MAIL_CONFIGS.CUSTOM_SMTP }),
    ],
    { error: `The provider is one of ${MAIL_PROVIDERS.join(', ')}.` },
  ),
  response: emailIntegration,
  status: 201,
  errors: ['email_integration_exists', 'sign_in_again'],
  example: { provider: 'MAIL_API', config: exampleConfig },
})

export const getEmailIntegration = endpoint({
  id: 'get-email-integration',
  method: 'GET',
  path: '/v1/email-integrations/{integration_id}',
  area,
  auth: 'api_key',
  permission: 'email_integrations:read',
  summary: 'Get an email integration',
  params,
  response: emailIntegration,
})

/** A secret that is missing, null or empty stays as it is. */
const keptSecret = secret.or(z.literal('')).nullish()

/** Any field of any provider. The verb checks that the integration's provider has it. */
const changes = z
  .strictObject({
    ...senders,
    domain,
    region: z.union(
      [z.enum(['US', 'EU']), awsRegion],
      'This is not a region: US or EU, or one of Amazon’s such as eu-west-1.',
    ),
    host,
    port: optional(port),
    smtp_username: requiredText,
    username: requiredText,
    api_key: keptSecret,
    webhook_signing_key: keptSecret,
    smtp_password: keptSecret,
    password: keptSecret,
  })
  .partial()

export const updateEmailIntegration = endpoint({
  id: 'A2',
  method: 'PATCH',
  path: '/v1/email-integrations/{integration_id}',
  area,
  auth: 'api_key',
  permission: 'email_integrations:write',
  summary: 'Change the organization’s own mail',
  description:
    'Any of the fields given at creation, flat or under `config`. A secret that is missing, ' +
    'null or empty stays as it is. The provider can’t change: delete the integration and create a new one. ' +
    'After a change of anything but email_reply_to and webhook_signing_key it is PENDING, and mail is ' +
    'sent by the installation’s own server until `POST /v1/email-integrations/{integration_id}/activate` ' +
    'has tested the new settings.',
  params,
  body: changes.extend({ config: changes.optional(), provider: z.enum(MAIL_PROVIDERS).optional() }),
  response: emailIntegration,
  errors: ['email_config_invalid', 'sign_in_again'],
  example: { email_from: 'Night Gallery <drops@gallery.example>' },
})

export const deleteEmailIntegration = endpoint({
  id: 'A3',
  method: 'DELETE',
  path: '/v1/email-integrations/{integration_id}',
  area,
  auth: 'api_key',
  permission: 'email_integrations:write',
  summary: 'Delete the organization’s own mail',
  description: 'Waiting mails are sent by the installation’s own server. Addresses that bounced stay suppressed.',
  params,
  response: noContent,
  status: 204,
  errors: ['sign_in_again'],
})

export const activateEmailIntegration = endpoint({
  id: 'activate-email-integration',
  method: 'POST',
  path: '/v1/email-integrations/{integration_id}/activate',
  area,
  auth: 'api_key',
  permission: 'email_integrations:write',
  summary: 'Activate the organization’s own mail',
  description:
    'Sends a test message with these settings to the calling member. When the mail server accepts it the integration ' +
    'is ACTIVE; otherwise it is FAILED and the error contains the server’s answer.',
  params,
  response: emailIntegration,
  errors: ['invalid_request', 'mail_refused', 'conflict', 'sign_in_again'],
})

export const sendTestMail = endpoint({
  id: 'send-test-mail',
  method: 'POST',
  path: '/v1/email-integrations/{integration_id}/send-test',
  area,
  auth: 'api_key',
  permission: 'email_integrations:write',
  summary: 'Send a test message',
  description:
    'Sends a real message with these settings, active or not. When the mail server refuses it, ' +
    'the integration is FAILED; when it refuses only the recipient, nothing changes.',
  params,
  body: z.strictObject({ email: optional(email).describe('The calling member’s address unless given.') }),
  response: z.object({
    email,
    message_id: z.string(),
    provider_id: z.string().nullable().describe('The provider’s id of the message.'),
    sent_at: timestamp,
  }),
  errors: ['mail_refused', 'address_suppressed', 'conflict'],
  example: { email: 'ada@example.com' },
})

export const suppression = z
  .object({
    id: uuid,
    email,
    reason: z
      .enum(['BOUNCE', 'COMPLAINT'])
      .describe('BOUNCE: there is no such mailbox. COMPLAINT: its owner reported a mail as spam.'),
    detail: z.string().nullable().describe('The mail server’s answer.'),
    created_at: timestamp,
  })
  .meta({ id: 'Suppression' })

export const listSuppressions = endpoint({
  id: 'list-suppressions',
  method: 'GET',
  path: '/v1/suppressions',
  area,
  auth: 'api_key',
  permission: 'email_integrations:read',
  summary: 'List suppressed addresses',
  description:
    'Addresses that bounced or complained. They get no more mail of this organization until the entry is deleted.',
  query: pageQuery(100).extend({ email: email.nullish(), reason: z.enum(['BOUNCE', 'COMPLAINT']).nullish() }),
  response: pageOf(suppression),
})

export const deleteSuppression = endpoint({
  id: 'delete-suppression',
  method: 'DELETE',
  path: '/v1/suppressions/{suppression_id}',
  area,
  auth: 'api_key',
  permission: 'email_integrations:write',
  summary: 'Allow mail to an address again',
  params: z.object({ suppression_id: uuid }),
  response: noContent,
  status: 204,
})
