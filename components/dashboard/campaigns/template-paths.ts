import { EDITABLE_TYPES, type EditableType } from '@/lib/platform/api/email-templates'

/** Types as they are written in a path: claim-pincode. */
const slugOf = (type: EditableType): string => type.toLowerCase().replaceAll('_', '-')
export const typeOfSlug = (slug: string): EditableType | null =>
  EDITABLE_TYPES.find((type) => slugOf(type) === slug) ?? null

/**
 * `locale`: of a variant, or null for all other languages; without it the page opens the organization's own language.
 * `query`: what else it is asked for.
 */
export function templatePath(
  type: EditableType,
  { campaign_id, locale }: Pick<TemplateScope, 'campaign_id'> & Partial<TemplateScope>,
  query: Record<string, string> = {},
): string {
  const language = locale === null ? ALL_LANGUAGES : locale
  const asked = new URLSearchParams({ ...(language && { locale: language }), ...query }).toString()
  return `/dashboard/campaigns${campaign_id ? `/${campaign_id}` : ''}/templates/${slugOf(type)}${asked && `?${asked}`}`
}

/** The part of a path that stands for the default, which is no language's variant. */
export const ALL_LANGUAGES = 'all'

/** Which template of a type: a campaign's or (null) the organization's, a language's or (null) the default. */
export type TemplateScope = { campaign_id: string | null; locale: string | null }
