import type { EditableType } from '../../platform/api/email-templates.ts'
import type { Context } from '../../platform/auth/context.ts'
import { assertOwnCampaign, showTemplate } from './show-template.ts'

/** `campaignId` null: in general. `version`: an earlier one of this very place. */
export async function getTemplate(
  ctx: Context,
  type: EditableType,
  { campaignId, version }: { campaignId?: string | null | undefined; version?: number | null | undefined },
) {
  return showTemplate(ctx, type, await assertOwnCampaign(ctx, campaignId), version)
}
