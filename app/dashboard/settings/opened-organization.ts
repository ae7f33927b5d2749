import type { getOrganization } from '@/lib/organizations/get-organization'
import { updateOrganization } from '@/lib/platform/api/organizations'
import { changeableOf } from '@/lib/platform/http/changed-fields'

/** The values of an organization that the forms of the settings show. */
export const openedOrganization = (organization: Awaited<ReturnType<typeof getOrganization>>) => ({
  ...changeableOf(updateOrganization, organization),
  web_domain: organization.web_domain?.name ?? null,
})
