import { z } from 'zod'
import { pageOf } from '../../core/page.ts'
import { digits, locale, safeString, timestamp, uuid } from '../../core/wire.ts'
import { endpoint, noContent } from './endpoint.ts'

const area = 'Email templates'

/** The types of mail for which an organization may write its own templates. */
export const EDITABLE_TYPES = [
  'REDEEM_NFT',
  'CLAIM_PINCODE',
  'CLAIMED_NFT',
  'RECEIPT',
  'REFUND',
  'CLAIM_REMINDER',
] as const
export type EditableType = (typeof EDITABLE_TYPES)[number]
export const TEMPLATE_FORMATS = ['MJML', 'HTML'] as const
export const TEMPLATE_SOURCES = ['PLATFORM', 'ORGANIZATION', 'CAMPAIGN'] as const

const type = z.enum(EDITABLE_TYPES)
const params = z.object({ template_type: type })
const scope = z.object({
  campaign_id: uuid.nullish().describe('The campaign’s own template; without it, the organization’s for all mail.'),
  locale: locale
    .nullish()
    .describe(
      'The variant for recipients of this language; without it, the default, for all languages without a variant.',
    ),
})

/** Template text of several lines; line ends become LF. */
const multilineTemplate = (maxLength: number) =>
  z
    .string()
    .overwrite((given) => given.replace(/\r\n?/g, '\n'))
    .min(1)
    .max(maxLength)
    .regex(/^[^\0]*$/, 'The character NUL is not allowed.')

const parts = {
  subject: safeString.trim().min(1).describe('Mustache, on one line.'),
  text: multilineTemplate(20_000).describe('Mustache: the plain-text version of the mail.'),
  format: z.enum(TEMPLATE_FORMATS),
  body: multilineTemplate(100_000).describe(
    'Mustache in MJML or HTML. Scripts, frames, forms and anything that loads other than images are removed.',
  ),
}
const line = safeString.trim().min(1).max(500)
const words = multilineTemplate(5_000)

/** A part of a template that isn't written as code. Texts are Mustache, and plain: no markup. */
export const templateBlock = z
  .discriminatedUnion('type', [
    z.strictObject({ type: z.literal('BRAND') }).describe('The organization’s logo, name and confirmed domain.'),
    z.strictObject({ type: z.literal('HEADING'), text: line }),
    z.strictObject({
      type: z.literal('TEXT'),
      text: words,
      small: z.boolean().optional().describe('Small print.'),
    }),
    z.strictObject({
      type: z.literal('PICTURE'),
      image_url: z
        .string()
        .max(2_000)
        .regex(/^(https:\/\/|\/media\/)[^\s{}"<>]+$/, 'A picture is an uploaded file or an https address.')
        .nullable()
        .describe('An uploaded picture or an https address; null: the item’s own picture.'),
      alt: z.string().trim().max(500).describe('What is read where pictures are off.'),
    }),
    z.strictObject({
      type: z.literal('BUTTON'),
      label: line.describe('What the button says.'),
      url: safeString.trim().min(1).max(2_000).describe('A variable such as {{claim_url}}, or an https address.'),
    }),
    z.strictObject({ type: z.literal('CODE'), text: line }).describe('Shown large, such as {{pin}}.'),
    z.strictObject({ type: z.literal('FOOTER') }).describe('The organization’s small print, and where to unsubscribe.'),
  ])
  .meta({ id: 'TemplateBlock' })
export type TemplateBlock = z.output<typeof templateBlock>
const blocks = z.array(templateBlock).min(1).max(60)

export type TemplateDraft = {
  subject: string
  text: string
  format: (typeof TEMPLATE_FORMATS)[number]
  body: string
  blocks?: TemplateBlock[] | null
}

/** A draft to preview. Parts left out are taken from the template in use. */
const draft = {
  subject: parts.subject.nullish(),
  text: parts.text.nullish(),
  format: parts.format.nullish(),
  body: parts.body.nullish(),
  blocks: blocks.nullish().describe('Instead of text, format and body, which are made of them.'),
}

const templateSummary = z.object({
  template_type: type,
  campaign_id: uuid.nullable().describe('The campaign of the request.'),
  locale: z.string().nullable().describe('The language of the request.'),
  source: z
    .enum(TEMPLATE_SOURCES)
    .describe('Which template is in use: the campaign’s, else the organization’s, else the platform’s.'),
  version: z.int().nullable().describe('null for the platform’s.'),
  subject: z.string(),
  format: z.enum(TEMPLATE_FORMATS),
  updated_at: timestamp.nullable(),
})

export const emailTemplate = templateSummary
  .extend({
    text: z.string(),
    body: z.string(),
    blocks: z
      .array(templateBlock)
      .nullable()
      .describe('What text and body are made of; null: they were written as code.'),
    variants: z
      .array(z.string())
      .describe('Languages in which the campaign (or the organization) has a variant of its own.'),
    versions: z
      .array(z.object({ version: z.int(), subject: z.string(), created_at: timestamp, member_id: uuid.nullable() }))
      .describe(
        'Versions of this campaign’s (or the organization’s) own template, newest first; the last fifty are stored.',
      ),
  })
  .meta({ id: 'EmailTemplate' })

export const listTemplates = endpoint({
  id: 'list-email-templates',
  method: 'GET',
  path: '/v1/email-templates',
  area,
  auth: 'api_key',
  permission: 'email_templates:read',
  summary: 'List email templates',
  description: 'One for each type: the template in use, for a campaign or in general.',
  query: scope,
  response: pageOf(templateSummary.meta({ id: 'EmailTemplateInUse' })),
  errors: ['not_found'],
})

export const getTemplate = endpoint({
  id: 'get-email-template',
  method: 'GET',
  path: '/v1/email-templates/{template_type}',
  area,
  auth: 'api_key',
  permission: 'email_templates:read',
  summary: 'Get an email template',
  description:
    'The template in use; with version, an earlier version of the campaign’s (or the organization’s) own template.',
  params,
  query: scope.extend({ version: digits(1, 2_147_483_647).nullish() }),
  response: emailTemplate,
})

export const saveTemplate = endpoint({
  id: 'save-email-template',
  method: 'PUT',
  path: '/v1/email-templates/{template_type}',
  area,
  auth: 'api_key',
  permission: 'email_templates:write',
  summary: 'Write an email template',
  description:
    'A new version each time, used from the next mail on: of `blocks`, or of `text`, `format` and `body`. ' +
    'Mustache with the variables of this type alone; unknown ones, partials, other delimiters, ' +
    'unescaped output and sections that aren’t closed are 422 with their line. ' +
    'REDEEM_NFT and CLAIM_REMINDER need {{claim_url}}, CLAIM_PINCODE needs {{pin}}, in text and body.',
  params,
  query: scope,
  body: z.strictObject({ ...draft, subject: parts.subject }),
  response: emailTemplate,
  errors: ['template_invalid'],
  example: {
    subject: '{{organization_name}} has something for you',
    text: 'Take “{{item_title}}”:\n{{claim_url}}\n',
    format: 'MJML',
    body:
      '<mjml><mj-body><mj-section><mj-column><mj-button href="{{claim_url}}">Take ' +
      '“{{item_title}}”</mj-button></mj-column></mj-section></mj-body></mjml>',
  },
})

export const deleteTemplate = endpoint({
  id: 'delete-email-template',
  method: 'DELETE',
  path: '/v1/email-templates/{template_type}',
  area,
  auth: 'api_key',
  permission: 'email_templates:write',
  summary: 'Delete an email template',
  description:
    'Deletes all its versions. A campaign falls back to the organization’s template, ' +
    'an organization to the platform’s.',
  params,
  query: scope,
  response: noContent,
  status: 204,
})

export const listVariables = endpoint({
  id: 'list-email-template-variables',
  method: 'GET',
  path: '/v1/email-templates/{template_type}/variables',
  area,
  auth: 'api_key',
  permission: 'email_templates:read',
  summary: 'List the variables of an email template',
  params,
  response: z.object({
    variables: z.array(
      z.object({
        name: z.string(),
        meaning: z.string(),
        sample: z.string(),
        required: z.boolean().describe('The template must use it, in text and body.'),
        optional: z.boolean().describe('It may be missing: use it in a section.'),
        url: z.boolean().describe('Its value is a URL: it may be a whole href or src.'),
      }),
    ),
  }),
})

export const previewTemplate = endpoint({
  id: 'preview-email-template',
  method: 'POST',
  path: '/v1/email-templates/{template_type}/preview',
  area,
  auth: 'api_key',
  permission: 'email_templates:write',
  summary: 'Preview an email template',
  description:
    'Filled in with sample data. Parts left out are taken from the template in use; ' +
    'a part with errors is null and its errors are listed.',
  params,
  query: scope,
  body: z.strictObject({
    ...draft,
    dark: z
      .boolean()
      .nullish()
      .describe('As a mail program in dark or light mode shows it; as it is sent unless given.'),
    claim_id: uuid
      .nullish()
      .describe(
        'As the recipient of this claim reads it, with their item, quantity and last day; link and PIN stay samples. ' +
          'Needs the permission `email_claims:read` too.',
      ),
  }),
  response: z.object({
    subject: z.string().nullable(),
    text: z.string().nullable(),
    html: z.string().nullable(),
    errors: z.array(
      z.object({
        field: z.enum(['subject', 'text', 'body']),
        line: z.int().nullable(),
        detail: z.string(),
      }),
    ),
  }),
  errors: ['forbidden', 'not_found'],
  example: { subject: 'For you: {{item_title}}', dark: true },
})

export const sendTestTemplate = endpoint({
  id: 'send-test-email-template',
  method: 'POST',
  path: '/v1/email-templates/{template_type}/send-test',
  area,
  auth: 'api_key',
  permission: 'email_templates:write',
  summary: 'Send an email template to yourself',
  description:
    'To the calling member (or the API key’s member), filled in with sample data; the subject begins with [Test].',
  params,
  query: scope,
  body: z.strictObject(draft),
  response: z.object({ email: z.string() }),
  status: 202,
  errors: ['template_invalid'],
  example: { subject: 'For you: {{item_title}}' },
})
