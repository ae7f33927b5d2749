import type { EditableType, TemplateBlock } from '../../platform/api/email-templates.ts'
import type { Context } from '../../platform/auth/context.ts'
import { type Locale, localeOf } from '../../core/locales.ts'
import { findSeller } from '../../organizations/find-seller.ts'
import { surroundingsOf } from './find-brand.ts'
import { platformBlocks } from './platform-template.ts'
import { templateOf } from './templates.ts'

type BuiltIn = {
  /** The organization's own language. */
  own: Locale
  /** The language of the text: the organization's unless one is given. */
  locale: Locale
  subject: string
  blocks: TemplateBlock[]
}

/** Gives the template in a language that a mail has without a template of the organization. */
export async function getBuiltInTemplate(ctx: Context, type: EditableType, given: Locale | null): Promise<BuiltIn> {
  const seller = await findSeller(ctx, ctx.organizationId)
  const { locale, words } = surroundingsOf(ctx, seller, given)
  const { subject } = templateOf(type, locale, words)
  return { own: localeOf(seller?.locale), locale, subject, blocks: platformBlocks(type, locale, words) }
}
