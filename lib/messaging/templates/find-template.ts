import type { EmailTemplate, EmailTemplateVersion } from '../../../generated/prisma/client.ts'
import type { AnyContext, Context } from '../../platform/auth/context.ts'

export type TemplateScope = { organizationId: string; campaignId: string | null }
export type OwnTemplate = { template: EmailTemplate; version: EmailTemplateVersion }

/** The template in use: the campaign's, else the organization's. null when the platform's is in use. */
export const findTemplate = async (ctx: AnyContext, type: string, place: TemplateScope): Promise<OwnTemplate | null> =>
  (await findTemplates(ctx, [type], place)).get(type) ?? null

/** The same for several types, read together. A type of which the platform's is in use is missing. */
export async function findTemplates(
  ctx: AnyContext,
  types: readonly string[],
  { organizationId, campaignId }: TemplateScope,
): Promise<Map<string, OwnTemplate>> {
  const inGeneral = { campaignId: null }
  const rows = await ctx.db.emailTemplate.findMany({
    where: {
      organizationId,
      templateType: { in: [...types] },
      OR: campaignId ? [{ campaignId }, inGeneral] : [inGeneral],
    },
  })
  const inUse = [...Map.groupBy(rows, ({ templateType }) => templateType).values()].map(
    (each) => each.find((row) => row.campaignId !== null) ?? each[0]!,
  )
  if (inUse.length === 0) return new Map()
  const versions = await ctx.db.emailTemplateVersion.findMany({
    where: { organizationId, OR: inUse.map(({ id, version }) => ({ templateId: id, version })) },
  })
  const versionOf = new Map(versions.map((version) => [version.templateId, version]))
  return new Map(
    inUse.flatMap((template) => {
      const version = versionOf.get(template.id)
      return version ? [[template.templateType, { template, version }] as const] : []
    }),
  )
}

/** The template of exactly this scope: of the campaign, or (with null) of the organization. */
export const findTemplateInScope = (
  ctx: Context,
  type: string,
  campaignId: string | null,
): Promise<EmailTemplate | null> => ctx.db.emailTemplate.findFirst({ where: { templateType: type, campaignId } })
