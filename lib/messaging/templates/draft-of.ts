import type { EditableType, TemplateBlock, TemplateDraft } from '../../platform/api/email-templates.ts'
import type { Context } from '../../platform/auth/context.ts'
import { fieldError } from '../../core/errors.ts'
import type { Locale } from '../../core/locales.ts'
import { findSurroundings } from './find-brand.ts'
import { type BlockTemplate, templateOfBlocks } from './template-of-blocks.ts'

/** The draft in a request: parts of the template's code, or blocks. */
export type GivenDraft = { [Part in keyof TemplateDraft]?: TemplateDraft[Part] | null | undefined }

/** A draft with the code that its blocks make. Throws `invalid_request` where it says both. */
export async function draftOf(
  ctx: Context,
  type: EditableType,
  { blocks, ...given }: GivenDraft & { subject: string },
  locale: Locale | null,
): Promise<Omit<GivenDraft, 'subject'>> {
  if (!blocks) return { ...given, blocks: null }
  if ([given.text, given.format, given.body].some((part) => part != null))
    throw fieldError('invalid_request', 'blocks', 'Give either blocks, or text, format and body.')
  return { ...(await codeOf(ctx, type, { subject: given.subject, blocks }, locale)), blocks }
}

/**
 * Text and body of blocks, with the organization's brand of today. `locale`: of the words around them; null: the
 * organization's.
 */
export async function codeOf(
  ctx: Context,
  type: EditableType,
  content: { subject: string; blocks: readonly TemplateBlock[] },
  locale: Locale | null,
): Promise<BlockTemplate> {
  return templateOfBlocks(type, content, await findSurroundings(ctx, locale))
}
