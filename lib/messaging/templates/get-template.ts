import type { EditableType } from '../../platform/api/email-templates.ts'
import type { Context } from '../../platform/auth/context.ts'
import { assertOwnCampaign, showTemplate } from './show-template.ts'

/** The template in use, or a `version` of exactly this scope. `campaignId` null means the organization's. Throws `not_found`. */
export async function getTemplate(
  ctx: Context,
  type: EditableType,
  { campaignId, version }: { campaignId?: string | null | undefined; version?: number | null | undefined },
) {
  return showTemplate(ctx, type, await assertOwnCampaign(ctx, campaignId), version)
}
