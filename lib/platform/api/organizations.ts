import { z } from 'zod'
import { contrastOf, readableOn } from '../../core/contrast.ts'
import { pageOf, pageQuery } from '../../core/page.ts'
import { address, email, locale, safeString, uuid } from '../../core/wire.ts'
import { EMBED_ORIGIN } from './embed-origin.ts'
import { endpoint } from './endpoint.ts'
import { organization } from './me.ts'

const area = 'Organization'
const params = z.object({ organization_id: uuid })

export const organizationName = safeString.trim().min(1)

/** The origin of a page that may show ours in a frame: https, or http on localhost. */
const embedOrigin = z
  .string()
  .trim()
  .max(255)
  .refine((text) => isOrigin(text), {
    error: 'An origin is needed, such as https://shop.example.com: a scheme and a host, without * and path.',
    abort: true,
  })
  .overwrite((text) => new URL(text).origin)
  .meta({ example: 'https://shop.example.com' })

function isOrigin(text: string): boolean {
  if (!URL.canParse(text)) return false
  const { protocol, hostname, origin, pathname, search, hash, username } = new URL(text)
  const local = protocol === 'http:' && (hostname === 'localhost' || hostname === '127.0.0.1')
  return (
    (protocol === 'https:' || local) &&
    EMBED_ORIGIN.test(origin) &&
    pathname === '/' &&
    search === '' &&
    hash === '' &&
    username === '' &&
    !/[;,\s'"]/.test(text)
  )
}

/**
 * A button's colour. Its text is white or near-black; one of the two must have a contrast of at least 4.5 (WCAG AA).
 */
const buttonColour = z
  .string()
  .regex(/^#[0-9a-f]{6}$/i, 'A colour as #rrggbb is needed.')
  .toLowerCase()
  .refine(
    (colour) => !/^#[0-9a-f]{6}$/.test(colour) || contrastOf(colour, readableOn(colour)) >= 4.5,
    'Neither light nor dark words read well on this colour. A little lighter or darker will do.',
  )

const brand = z.strictObject({
  logo_url: z.string().max(2048).nullish().describe('An uploaded file of yours, such as its `thumb`.'),
  colour: buttonColour.nullish().describe('Of buttons, as #rrggbb.'),
  footer: z
    .string()
    .trim()
    .max(500)
    .regex(/^(?!.*\{\{)[^\0]*$/s, 'Two braces {{ would begin a variable, and here is none.')
    .nullish()
    .describe('Small print below every mail, such as your address.'),
})

/** A page on the web that people are led to. */
const webPage = z
  .string()
  .trim()
  .max(2048)
  .refine((text) => URL.canParse(text) && new URL(text).protocol === 'https:' && !new URL(text).username, {
    error: 'An address of the web is needed, such as https://shop.example.com/terms.',
    abort: true,
  })
  .overwrite((text) => new URL(text).href)
  .meta({ example: 'https://shop.example.com/terms' })

/** A name on the public web, as DNS writes it. */
const DOMAIN = /^(?=.{4,240}$)(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z](?:[a-z0-9-]{0,61}[a-z0-9])$/
const asciiNameOf = (text: string): string => {
  const url = `https://${text.replace(/\.$/, '')}`
  return URL.canParse(url) && new URL(url).href === `https://${new URL(url).hostname}/` ? new URL(url).hostname : ''
}
const webDomain = z
  .string()
  .trim()
  .max(255)
  .refine((text) => DOMAIN.test(asciiNameOf(text)), {
    error: 'A domain is needed, such as gallery.example.com.',
    abort: true,
  })
  .overwrite(asciiNameOf)
  .meta({ example: 'gallery.example.com' })

export const listOrganizations = endpoint({
  id: 'list-organizations',
  method: 'GET',
  path: '/v1/organizations',
  area,
  auth: 'api_key',
  permission: 'organizations:read',
  summary: 'List the organizations of this key',
  description: 'A key belongs to exactly one.',
  query: pageQuery(),
  response: pageOf(organization),
})

export const getOrganization = endpoint({
  id: 'get-organization',
  method: 'GET',
  path: '/v1/organizations/{organization_id}',
  area,
  auth: 'api_key',
  permission: 'organizations:read',
  summary: 'Get an organization',
  params,
  response: organization,
})

export const updateOrganization = endpoint({
  id: 'A4',
  method: 'PATCH',
  path: '/v1/organizations/{organization_id}',
  area,
  auth: 'api_key',
  permission: 'organizations:write',
  summary: 'Edit an organization',
  description:
    'What recipients and buyers see of it, and its settings. ' +
    'The payout address receives the proceeds of crypto sales. If it is a contract, payout_warnings lists ' +
    'the networks of the organization’s collections on which it is not deployed. Without one (null), ' +
    'the organization’s listings that are sold by mint voucher pause, and payout_warnings names them.',
  params,
  body: z.strictObject({
    name: organizationName.optional(),
    payout_address: address
      .refine((given) => !/^0x0{40}$/.test(given), 'The zero address belongs to nobody.')
      .nullish(),
    embed_origins: z
      .array(embedOrigin)
      .max(20)
      .transform((given) => [...new Set(given)])
      .optional()
      .describe('Origins that may show the checkout page in a frame.'),
    requires_passkeys: z.boolean().optional().describe('Changed by an owner only, who has a passkey to switch it on.'),
    follows_oidc_roles: z
      .boolean()
      .optional()
      .describe('Changed by an owner only. It has an effect where the installation maps roles (OIDC_ROLES).'),
    brand: brand
      .nullish()
      .describe(
        'The look of its claim and checkout pages and of the platform’s own mail templates; ' +
          'fields left out stay, null clears one.',
      ),
    terms_url: webPage.nullish().describe('The terms that buyers see a link to before they pay. https only.'),
    contact_email: email.nullish().describe('Where buyers and recipients can ask; shown to them.'),
    web_domain: webDomain
      .nullish()
      .describe(
        'A domain that people shall see beside the name. It is checked at once, and again whenever it is sent; ' +
          'the answer’s `web_domain` says where its owner must name this organization.',
      ),
    locale: locale
      .nullish()
      .describe('The language of its pages and mails, where nobody chose another. null: English.'),
    shows_vitrine: z.boolean().optional().describe('Whether “via Vitrine” stands on its pages and mails.'),
  }),
  response: organization,
  errors: ['image_invalid', 'role_beyond_own', 'passkey_required', 'sign_in_again'],
  example: { payout_address: '0x70997970C51812dc3A010C7d01b50e0d17dc79C8' },
})
