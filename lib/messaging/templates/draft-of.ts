import type { EditableType, TemplateBlock, TemplateDraft } from '../../platform/api/email-templates.ts'
import type { Context } from '../../platform/auth/context.ts'
import { fieldError } from '../../core/errors.ts'
import { findBrand } from './find-brand.ts'
import { type BlockTemplate, templateOfBlocks } from './template-of-blocks.ts'

/** What a request says of a template: parts of its code, or blocks. */
export type GivenDraft = { [Part in keyof TemplateDraft]?: TemplateDraft[Part] | null | undefined }

/** A draft with the code that its blocks make. Throws `invalid_request` where it says both. */
export async function draftOf(
  ctx: Context,
  type: EditableType,
  { blocks, ...given }: GivenDraft & { subject: string },
): Promise<Omit<GivenDraft, 'subject'>> {
  if (!blocks) return { ...given, blocks: null }
  if ([given.text, given.format, given.body].some((part) => part != null))
    throw fieldError('invalid_request', 'blocks', 'Give either blocks, or text, format and body.')
  return { ...(await codeOf(ctx, type, { subject: given.subject, blocks })), blocks }
}

/** Text and body of blocks, with the organization's brand of today. */
export async function codeOf(
  ctx: Context,
  type: EditableType,
  content: { subject: string; blocks: readonly TemplateBlock[] },
): Promise<BlockTemplate> {
  const { origin } = ctx.ports.addresses
  return templateOfBlocks(type, content, { brand: await findBrand(ctx, ctx.organizationId), origin })
}
