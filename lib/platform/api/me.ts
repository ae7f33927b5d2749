import { z } from 'zod'
import { address, timestamp, uuid } from '../../core/wire.ts'
import { endpoint, noContent } from './endpoint.ts'
import { PERMISSIONS, ROLES } from './permissions.ts'

export const organization = z
  .object({
    id: uuid,
    name: z.string(),
    payout_address: address.nullable().describe('The address that receives the proceeds of crypto sales.'),
    payout_warnings: z
      .array(
        z.object({
          network_id: z.int(),
          detail: z.string(),
          is_burn_address: z
            .literal(true)
            .optional()
            .describe('Nobody has the key of the payout address, on any network.'),
          listing_id: uuid.optional().describe('The listing that is paused because there is no payout address.'),
        }),
      )
      .describe(
        'That the payout address is one to which tokens are sent to burn them. ' +
          'Networks on which the payout address, a contract on another network, is not deployed. ' +
          'Without a payout address: the listings by mint voucher that are paused, the newest 100.',
      ),
    embed_origins: z.array(z.string()).describe('Origins that may show the checkout page in a frame.'),
    requires_passkeys: z
      .boolean()
      .describe('Whether members open the dashboard only with a session that a passkey made. API keys are unaffected.'),
    follows_oidc_roles: z
      .boolean()
      .describe('Whether the roles of members follow what the OpenID Connect provider says when they sign in with it.'),
    brand: z
      .object({ logo_url: z.string().nullable(), colour: z.string().nullable(), footer: z.string().nullable() })
      .describe('The look of its claim and checkout pages and of the platform’s own mail templates.'),
    terms_url: z.string().nullable().describe('The terms that buyers see a link to before they pay.'),
    contact_email: z.string().nullable().describe('Where buyers and recipients can ask.'),
    web_domain: z
      .object({
        name: z.string().describe('The domain, as DNS writes it.'),
        is_shown: z
          .boolean()
          .describe(
            'Whether people see it: its owner named this organization in one of the two places in the last two days.',
          ),
        found_at: timestamp.nullable().describe('When one of the two places last named this organization.'),
        checked_at: timestamp.nullable().describe('It is checked every day.'),
        record_name: z.string().describe('A TXT record of this name with the `value` proves the domain.'),
        file_url: z.string().describe('A text file at this address with the `value` on a line proves it too.'),
        value: z.string().describe('What names this organization.'),
      })
      .nullable()
      .describe('The domain that people see beside the name while it is proved.'),
    shows_vitrine: z.boolean().describe('Whether “via Vitrine” stands on its pages and mails.'),
    locale: z
      .string()
      .nullable()
      .describe('The language of its pages and mails, where nobody chose another. null: English.'),
    created_at: timestamp,
  })
  .meta({ id: 'Organization' })

export const getMe = endpoint({
  id: 'get-me',
  method: 'GET',
  path: '/v1/me',
  area: 'Organization',
  auth: 'api_key',
  summary: 'Get the caller’s identity',
  description: 'The organization, the member and the permissions behind the key (or the session) of this request.',
  response: z.object({
    organization,
    user: z
      .object({
        member_id: uuid,
        email: z.string(),
        name: z.string().nullable(),
        role: z.enum(ROLES),
        locale: z
          .string()
          .nullable()
          .describe('The language that the member chose for mails. null: their organization’s.'),
      })
      .nullable(),
    permissions: z.array(z.enum(PERMISSIONS)),
    mode: z.enum(['TEST', 'LIVE']).nullable().describe('The API key’s mode; null for a session.'),
  }),
})

export const leaveOrganization = endpoint({
  id: 'leave-organization',
  method: 'DELETE',
  path: '/v1/me',
  area: 'Organization',
  auth: 'api_key',
  summary: 'Leave the organization',
  description:
    'Ends the caller’s own membership and their API keys. With the dashboard’s session only: ' +
    'an API key can’t end its member.',
  response: noContent,
  status: 204,
  errors: ['forbidden', 'last_owner'],
})
