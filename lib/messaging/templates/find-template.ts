import type { EmailTemplate, EmailTemplateVersion } from '../../../generated/prisma/client.ts'
import type { AnyContext, Context } from '../../platform/auth/context.ts'

export type TemplateScope = { organizationId: string; campaignId: string | null }
export type OwnTemplate = { template: EmailTemplate; version: EmailTemplateVersion }

/** The template in use: the campaign's, else the organization's. null when the platform's is in use. */
export async function findTemplate(
  ctx: AnyContext,
  type: string,
  { organizationId, campaignId }: TemplateScope,
): Promise<OwnTemplate | null> {
  const inGeneral = { campaignId: null }
  const rows = await ctx.db.emailTemplate.findMany({
    where: { organizationId, templateType: type, OR: campaignId ? [{ campaignId }, inGeneral] : [inGeneral] },
  })
  const template = rows.find((row) => row.campaignId !== null) ?? rows[0]
  if (!template) return null
  const version = await ctx.db.emailTemplateVersion.findFirst({
    where: { organizationId, templateId: template.id, version: template.version },
  })
  return version && { template, version }
}

/** The template of exactly this scope: of the campaign, or (with null) of the organization. */
export const findTemplateInScope = (
  ctx: Context,
  type: string,
  campaignId: string | null,
): Promise<EmailTemplate | null> => ctx.db.emailTemplate.findFirst({ where: { templateType: type, campaignId } })
