import { EDITABLE_TYPES, type EditableType } from '@/lib/platform/api/email-templates'

/** Types as they are written in a path: claim-pincode. */
const slugOf = (type: EditableType): string => type.toLowerCase().replaceAll('_', '-')
export const typeOfSlug = (slug: string): EditableType | null =>
  EDITABLE_TYPES.find((type) => slugOf(type) === slug) ?? null

/** `locale`: of a variant; `query`: what else the page is asked for. */
export function templatePath(
  type: EditableType,
  { campaign_id, locale }: TemplateScope,
  query: Record<string, string> = {},
): string {
  const asked = new URLSearchParams({ ...(locale && { locale }), ...query }).toString()
  return `/dashboard/campaigns${campaign_id ? `/${campaign_id}` : ''}/templates/${slugOf(type)}${asked && `?${asked}`}`
}

/** Which template of a type: a campaign's or (null) the organization's, a language's or (null) the default. */
export type TemplateScope = { campaign_id: string | null; locale: string | null }
