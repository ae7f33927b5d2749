import type { z } from 'zod'
import type { EditableType, emailTemplate, TemplateDraft } from '../../platform/api/email-templates.ts'
import type { Context } from '../../platform/auth/context.ts'
import { notFound, unknownId } from '../../core/errors.ts'
import { isUuid } from '../../core/id.ts'
import { findCampaign } from '../campaigns/find-campaign.ts'
import { findBrand } from './find-brand.ts'
import { findTemplate, findVersionsInScope, type OwnTemplate } from './find-template.ts'
import type { Brand } from './layout.ts'
import { platformBlocks, platformTemplate } from './platform-template.ts'
import { liveVersion } from './template-of-blocks.ts'

type Shown = z.output<typeof emailTemplate>
type TemplateSummary = Omit<Shown, 'text' | 'body' | 'blocks' | 'versions'>

/** Throws `not_found` unless the campaign is the organization's. Returns its id; null stands for the organization's templates. */
export async function assertOwnCampaign(ctx: Context, campaignId: string | null | undefined): Promise<string | null> {
  if (!campaignId) return null
  if (!isUuid(campaignId) || !(await findCampaign(ctx, campaignId))) throw unknownId('campaign_id', 'campaign')
  return campaignId
}

/** The template in use for a campaign, or (with null) for the organization. */
export async function templateInUse(
  ctx: Context,
  type: EditableType,
  campaignId: string | null,
): Promise<TemplateDraft> {
  const [own, brand] = await Promise.all([
    findTemplate(ctx, type, { organizationId: ctx.organizationId, campaignId }),
    findBrand(ctx, ctx.organizationId),
  ])
  if (!own) return { ...platformTemplate(type, brand), blocks: platformBlocks(type) }
  return liveVersion(type, own.version, { brand, origin: ctx.ports.addresses.origin })
}

export function templateSummaryOf(
  type: EditableType,
  campaignId: string | null,
  own: OwnTemplate | null,
  brand: Brand,
): TemplateSummary {
  const words = own?.version ?? platformTemplate(type, brand)
  return {
    template_type: type,
    campaign_id: campaignId,
    source: own ? (own.template.campaignId ? 'CAMPAIGN' : 'ORGANIZATION') : 'PLATFORM',
    version: own?.version.version ?? null,
    subject: words.subject,
    format: words.format,
    updated_at: own?.version.createdAt ?? null,
  }
}

/** A template in full: the one in use, or one version of this scope, with the list of versions. */
export async function showTemplate(
  ctx: Context,
  type: EditableType,
  campaignId: string | null,
  version?: number | null,
): Promise<Shown> {
  const [versions, inUse, brand] = await Promise.all([
    findVersionsInScope(ctx, type, campaignId),
    findTemplate(ctx, type, { organizationId: ctx.organizationId, campaignId }),
    findBrand(ctx, ctx.organizationId),
  ])
  const old = version == null ? null : (versions.find((row) => row.version === version) ?? null)
  if (version != null && !old) throw notFound()
  const own = old ? { template: { campaignId }, version: { ...old, html: '' } } : inUse
  const words = own
    ? liveVersion(type, own.version, { brand, origin: ctx.ports.addresses.origin })
    : { ...platformTemplate(type, brand), blocks: platformBlocks(type) }
  return {
    ...templateSummaryOf(type, campaignId, own, brand),
    text: words.text,
    body: words.body,
    blocks: words.blocks,
    versions: versions.map((row) => ({
      version: row.version,
      subject: row.subject,
      created_at: row.createdAt,
      member_id: row.memberId,
    })),
  }
}
