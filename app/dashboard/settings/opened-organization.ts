import type { getOrganization } from '@/lib/organizations/get-organization'
import type { Opened } from '@/lib/platform/api/form-action'
import { shownOf } from '@/lib/platform/http/changed-fields'

/** The values of an organization that the forms of the settings show. */
export const openedOrganization = (organization: Awaited<ReturnType<typeof getOrganization>>): Opened => ({
  ...shownOf(organization, [
    'name',
    'payout_address',
    'embed_origins',
    'requires_passkeys',
    'follows_oidc_roles',
    'brand',
    'terms_url',
    'contact_email',
    'locale',
    'shows_vitrine',
  ]),
  web_domain: organization.web_domain?.name ?? null,
})
