import type { EditableType } from '../platform/api/email-templates.ts'
import { assertPermission, type Context } from '../platform/auth/context.ts'
import { unknownId } from '../core/errors.ts'
import { mailPictureOf } from '../catalog/items/mail-picture-of.ts'
import { withCollection } from '../catalog/items/show-item.ts'
import { titleIn } from '../catalog/items/translations.ts'
import { localeOf } from '../core/locales.ts'
import { dayOf } from '../core/day.ts'
import { localeGiven } from '../core/locale-given.ts'
import { type GivenPreview, previewTemplate } from '../messaging/templates/preview-template.ts'
import type { GivenPlace } from '../messaging/templates/show-template.ts'

/**
 * A draft as one recipient would read it: with the item, number and last day of their claim. Link and PIN stay samples,
 * since they are the recipient's alone. Throws `not_found` for an unknown claim, and `forbidden` without the permission
 * to read claims.
 */
export async function previewForRecipient(
  ctx: Context,
  type: EditableType,
  place: GivenPlace,
  { claim_id, ...draft }: GivenPreview & { claim_id: string },
) {
  assertPermission(ctx, 'email_claims:read')
  const claim = await ctx.db.emailClaim.findFirst({ where: { id: claim_id }, include: { item: withCollection } })
  if (!claim) throw unknownId('claim_id', 'email claim')
  return previewTemplate(ctx, type, place, draft, {
    item_title: titleIn(claim.item, localeOf(place.locale && localeGiven(place.locale))),
    image_url: mailPictureOf(claim.item, ctx.ports.addresses.origin),
    quantity: claim.quantity > 1n ? claim.quantity.toString() : null,
    expires_on: claim.expiresAt && dayOf(claim.expiresAt, localeGiven(place.locale) ?? undefined),
  })
}
