import { z } from 'zod'
import { contrastOf, readableOn } from '../../core/contrast.ts'
import { pageOf, pageQuery } from '../../core/page.ts'
import { address, safeString, uuid } from '../../core/wire.ts'
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
  .refine((text) => isOrigin(text), { error: 'An origin is needed, such as https://shop.example.com.', abort: true })
  .overwrite((text) => new URL(text).origin)
  .meta({ example: 'https://shop.example.com' })

function isOrigin(text: string): boolean {
  if (!URL.canParse(text)) return false
  const { protocol, hostname, pathname, search, hash, username } = new URL(text)
  const local = protocol === 'http:' && (hostname === 'localhost' || hostname === '127.0.0.1')
  return (
    (protocol === 'https:' || local) &&
    hostname !== '' &&
    pathname === '/' &&
    search === '' &&
    hash === '' &&
    username === '' &&
    !/[;,\s'"]/.test(text)
  )
}

/** A button's colour. Its text is white or near-black; one of the two must have a contrast of at least 4.5 (WCAG AA). */
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
    'The payout address receives the proceeds of crypto sales. If it is a contract, payout_warnings lists the networks of the organization’s collections on which it is not deployed. Without one (null), the organization’s listings that are sold by mint voucher pause, and payout_warnings names them.',
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
      .describe('The look of the platform’s own mail templates; fields left out stay, null clears one.'),
  }),
  response: organization,
  errors: ['image_invalid', 'role_beyond_own', 'passkey_required', 'sign_in_again'],
  example: { payout_address: '0x70997970C51812dc3A010C7d01b50e0d17dc79C8' },
})
