import type { EmailTemplate, EmailTemplateVersion } from '../../../generated/prisma/client.ts'
import type { TemplateBlock } from '../../platform/api/email-templates.ts'
import type { Statement } from '../../db/statements.ts'
import type { AnyContext, Context } from '../../platform/auth/context.ts'

export type TemplateScope = { organizationId: string; campaignId: string | null }
type Version = Pick<EmailTemplateVersion, 'version' | 'subject' | 'text' | 'format' | 'body' | 'createdAt'> & {
  blocks: TemplateBlock[] | null
}
export type OwnTemplate = { template: Pick<EmailTemplate, 'campaignId'>; version: Version & { html: string } }

const VERSION = 'v.version, v.subject, v.text, v.format, v.body, v.blocks, v.created_at AS "createdAt"'
const VERSIONS =
  'email_templates t JOIN email_template_versions v ON v.organization_id = t.organization_id AND v.template_id = t.id'

/** A campaign's template comes before the organization's. */
const IN_USE: Statement = {
  name: 'templates_in_use',
  text: `SELECT DISTINCT ON (t.template_type) t.template_type AS "templateType", t.campaign_id AS "campaignId", v.html, ${VERSION}
    FROM ${VERSIONS} AND v.version = t.version
    WHERE t.organization_id = $1::uuid AND t.template_type = ANY ($2::text[]) AND (t.campaign_id IS NULL OR t.campaign_id = $3::uuid)
    ORDER BY t.template_type, t.campaign_id NULLS LAST`,
}

/** The template in use: the campaign's, else the organization's. null when the platform's is in use. */
export const findTemplate = async (ctx: AnyContext, type: string, place: TemplateScope): Promise<OwnTemplate | null> =>
  (await findTemplates(ctx, [type], place)).get(type) ?? null

/** The same for several types, read together. A type of which the platform's is in use is missing. */
export async function findTemplates(
  ctx: AnyContext,
  types: readonly string[],
  { organizationId, campaignId }: TemplateScope,
): Promise<Map<string, OwnTemplate>> {
  const rows = await ctx.rows<OwnTemplate['version'] & Pick<EmailTemplate, 'templateType' | 'campaignId'>>(
    IN_USE,
    organizationId,
    types,
    campaignId,
  )
  return new Map(
    rows.map(({ templateType, campaignId: own, ...version }) => [
      templateType,
      { template: { campaignId: own }, version },
    ]),
  )
}

/** The template of exactly this scope: of the campaign, or (with null) of the organization. */
export const findTemplateInScope = (
  ctx: Context,
  type: string,
  campaignId: string | null,
): Promise<EmailTemplate | null> => ctx.db.emailTemplate.findFirst({ where: { templateType: type, campaignId } })

const IN_SCOPE: Statement = {
  name: 'template_versions_in_scope',
  text: `SELECT v.member_id AS "memberId", ${VERSION} FROM ${VERSIONS}
    WHERE t.organization_id = $1::uuid AND t.template_type = $2::text AND t.campaign_id IS NOT DISTINCT FROM $3::uuid ORDER BY v.version DESC`,
}

/** Its versions, the newest first; none where it has no template of its own. */
export const findVersionsInScope = (
  ctx: Context,
  type: string,
  campaignId: string | null,
): Promise<(Version & Pick<EmailTemplateVersion, 'memberId'>)[]> =>
  ctx.rows(IN_SCOPE, ctx.organizationId, type, campaignId)
