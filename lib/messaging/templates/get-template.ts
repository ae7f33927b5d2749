import type { EditableType } from '../../platform/api/email-templates.ts'
import type { Context } from '../../platform/auth/context.ts'
import { type GivenPlace, placeOf, showTemplate } from './show-template.ts'

/** The template in use, or a `version` of exactly this scope. Throws `not_found`. */
export async function getTemplate(
  ctx: Context,
  type: EditableType,
  { version, ...place }: GivenPlace & { version?: number | null | undefined },
) {
  return showTemplate(ctx, type, await placeOf(ctx, place), version)
}
