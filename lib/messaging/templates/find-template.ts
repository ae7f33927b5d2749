import type { EmailTemplate, EmailTemplateVersion } from '../../../generated/prisma/client.ts'
import type { TemplateBlock } from '../../platform/api/email-templates.ts'
import type { Locale } from '../../core/locales.ts'
import { columns, type RowOf } from '../../db/columns.ts'
import type { Statement } from '../../db/statements.ts'
import type { AnyContext, Context } from '../../platform/auth/context.ts'

/** `locale`: of a variant; null: the default. */
export type TemplatePlace = { campaignId: string | null; locale: Locale | null }
type TemplateScope = TemplatePlace & { organizationId: string }
const VERSION = columns('v', 'EmailTemplateVersion', [
  'version',
  'subject',
  'text',
  'format',
  'body',
  'blocks',
  'createdAt',
])
type Version = Omit<RowOf<typeof VERSION>, 'blocks'> & { blocks: TemplateBlock[] | null }
export type OwnTemplate = { template: TemplatePlace; version: Version & { html: string } }

const VERSIONS =
  'email_templates t JOIN email_template_versions v ON v.organization_id = t.organization_id AND v.template_id = t.id'

const TEMPLATE = columns('t', 'EmailTemplate', ['templateType', 'campaignId', 'locale'])
/** A campaign's template comes before the organization's, and a variant in the language before the default. */
const IN_USE: Statement = {
  name: 'templates_in_use',
  text: `SELECT DISTINCT ON (t.template_type) ${TEMPLATE}, v.html, ${VERSION}
    FROM ${VERSIONS} AND v.version = t.version
    WHERE t.organization_id = $1::uuid AND t.template_type = ANY ($2::text[])
      AND (t.campaign_id IS NULL OR t.campaign_id = $3::uuid)
      AND (t.locale IS NULL OR t.locale = $4::text)
    ORDER BY t.template_type, t.campaign_id NULLS LAST, t.locale NULLS LAST`,
}

/** The template in use: the campaign's, else the organization's. null when the platform's is in use. */
export const findTemplate = async (ctx: AnyContext, type: string, place: TemplateScope): Promise<OwnTemplate | null> =>
  (await findTemplates(ctx, [type], place)).get(type) ?? null

/**
 * The templates in use of several types, read together, each the campaign's, else the organization's. A type of which
 * the platform's is in use is missing.
 */
export async function findTemplates(
  ctx: AnyContext,
  types: readonly string[],
  { organizationId, campaignId, locale }: TemplateScope,
): Promise<Map<string, OwnTemplate>> {
  const rows = await ctx.rows<OwnTemplate['version'] & RowOf<typeof TEMPLATE> & TemplatePlace>(
    IN_USE,
    organizationId,
    types,
    campaignId,
    locale,
  )
  return new Map(
    rows.map(({ templateType, campaignId: own, locale: language, ...version }) => [
      templateType,
      { template: { campaignId: own, locale: language }, version },
    ]),
  )
}

/**
 * The template of exactly this place: of the campaign, or (with null) of the organization, in a language or by default.
 */
export const findTemplateInScope = (ctx: Context, type: string, place: TemplatePlace): Promise<EmailTemplate | null> =>
  ctx.db.emailTemplate.findFirst({ where: { templateType: type, ...place } })

const IN_SCOPE: Statement = {
  name: 'template_versions_in_scope',
  text: `SELECT own.*, (SELECT coalesce(array_agg(x.locale ORDER BY x.locale), '{}') FROM email_templates x
      WHERE x.organization_id = $1::uuid AND x.template_type = $2::text AND x.campaign_id IS NOT DISTINCT FROM $3::uuid
        AND x.locale IS NOT NULL) AS variants
    FROM (SELECT) one
      LEFT JOIN (SELECT ${columns('v', 'EmailTemplateVersion', ['memberId'])}, ${VERSION} FROM ${VERSIONS}
      WHERE t.organization_id = $1::uuid AND t.template_type = $2::text AND t.campaign_id IS NOT DISTINCT FROM $3::uuid
        AND t.locale IS NOT DISTINCT FROM $4::text) own ON true
    ORDER BY own.version DESC`,
}

type OwnVersion = Version & Pick<EmailTemplateVersion, 'memberId'>

/**
 * Its versions, the newest first; none where it has no template of its own. `variants`: the languages in which its
 * campaign, or the organization, has words of its own.
 */
export async function findVersionsInScope(
  ctx: Context,
  type: string,
  { campaignId, locale }: TemplatePlace,
): Promise<{ versions: OwnVersion[]; variants: string[] }> {
  const rows = await ctx.rows<(OwnVersion | { version: null }) & { variants: string[] }>(
    IN_SCOPE,
    ctx.organizationId,
    type,
    campaignId,
    locale,
  )
  // Without a version there is one row, of nothing but the variants.
  return { versions: rows.filter((row) => row.version !== null), variants: rows[0]!.variants }
}
