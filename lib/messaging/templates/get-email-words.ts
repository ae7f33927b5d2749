import type { getEmailWords as endpoint } from '../../platform/api/email-words.ts'
import type { Output } from '../../platform/api/endpoint.ts'
import type { Context } from '../../platform/auth/context.ts'
import type { Statement } from '../../db/statements.ts'
import type { OwnWords } from './own-words.ts'

const WORDS: Statement = {
  name: 'own_words',
  text: 'SELECT words, glossary FROM organizations WHERE id = $1::uuid',
}

/** The words that stand in the place of built-in ones, and what is never translated. */
export async function getEmailWords(ctx: Context): Promise<Output<typeof endpoint>> {
  const [row] = await ctx.rows<{ words: OwnWords | null; glossary: string[] }>(WORDS, ctx.organizationId)
  return { words: row!.words ?? {}, glossary: row!.glossary }
}
