import type { z } from 'zod'
import type { EditableType, emailTemplate, TemplateBlock, TemplateDraft } from '../../platform/api/email-templates.ts'
import type { Context } from '../../platform/auth/context.ts'
import { notFound, unknownId } from '../../core/errors.ts'
import { localeGiven } from '../../core/locale-given.ts'
import { isUuid } from '../../core/id.ts'
import { findCampaign } from '../campaigns/find-campaign.ts'
import { findSurroundings } from './find-brand.ts'
import { findTemplate, findVersionsInScope, type OwnTemplate, type TemplatePlace } from './find-template.ts'
import { platformBlocks, platformTemplate } from './platform-template.ts'
import { liveVersion, type Surroundings } from './template-of-blocks.ts'

type ShownTemplate = z.output<typeof emailTemplate>
type TemplateSummary = Omit<ShownTemplate, 'text' | 'body' | 'blocks' | 'variants' | 'versions'>

/**
 * Where a request says that a template is: of a campaign or (without one) of the organization, in a language or
 * (without one) the default.
 */
export type GivenPlace = { campaign_id?: string | null | undefined; locale?: string | null | undefined }

/**
 * Throws `not_found` unless the campaign is the organization's, and `invalid_request` for a language that we don't
 * speak.
 */
export async function placeOf(ctx: Context, given: GivenPlace): Promise<TemplatePlace> {
  const locale = localeGiven(given.locale)
  const campaignId = given.campaign_id || null
  if (campaignId !== null && (!isUuid(campaignId) || !(await findCampaign(ctx, campaignId))))
    throw unknownId('campaign_id', 'campaign')
  return { campaignId, locale }
}

/** The template in use at a place. */
export async function templateInUse(ctx: Context, type: EditableType, place: TemplatePlace): Promise<TemplateDraft> {
  const [own, surroundings] = await Promise.all([
    findTemplate(ctx, type, { organizationId: ctx.organizationId, ...place }),
    findSurroundings(ctx, place.locale),
  ])
  return wordsOf(type, own, surroundings)
}

/** A template's words as they are sent today. */
const wordsOf = (
  type: EditableType,
  own: OwnTemplate | null,
  surroundings: Surroundings,
): TemplateDraft & { blocks: TemplateBlock[] | null } => {
  if (own) return liveVersion(type, own.version, surroundings)
  const { brand, locale, words } = surroundings
  return { ...platformTemplate(type, brand, locale, words), blocks: platformBlocks(type, locale, words) }
}

export function templateSummaryOf(
  type: EditableType,
  { campaignId, locale }: TemplatePlace,
  own: OwnTemplate | null,
  surroundings: Surroundings,
): TemplateSummary {
  const words = own?.version ?? platformTemplate(type, surroundings.brand, surroundings.locale, surroundings.words)
  return {
    template_type: type,
    campaign_id: campaignId,
    locale,
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
  place: TemplatePlace,
  version?: number | null,
): Promise<ShownTemplate> {
  const [{ versions, variants }, inUse, surroundings] = await Promise.all([
    findVersionsInScope(ctx, type, place),
    findTemplate(ctx, type, { organizationId: ctx.organizationId, ...place }),
    findSurroundings(ctx, place.locale),
  ])
  const old = version == null ? null : (versions.find((row) => row.version === version) ?? null)
  if (version != null && !old) throw notFound()
  const own = old ? { template: place, version: { ...old, html: '' } } : inUse
  const words = wordsOf(type, own, surroundings)
  return {
    ...templateSummaryOf(type, place, own, surroundings),
    text: words.text,
    body: words.body,
    blocks: words.blocks,
    variants,
    versions: versions.map((row) => ({
      version: row.version,
      subject: row.subject,
      created_at: row.createdAt,
      member_id: row.memberId,
    })),
  }
}
