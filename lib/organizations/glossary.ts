import { fieldError } from '../core/errors.ts'
import type { Statement } from '../db/statements.ts'
import type { Context } from '../platform/auth/context.ts'

const GLOSSARY: Statement = { name: 'glossary', text: 'SELECT glossary FROM organizations WHERE id = $1::uuid' }

/** Names and symbols of an organization that are never translated. */
export async function findGlossary(ctx: Pick<Context, 'rows' | 'organizationId'>): Promise<string[]> {
  const [row] = await ctx.rows<{ glossary: string[] }>(GLOSSARY, ctx.organizationId)
  return row!.glossary
}

/**
 * Throws `invalid_request` where a term that is never translated stands in the original, but not in the text that takes
 * its place.
 */
export function assertTermsKept(field: string, glossary: readonly string[], original: string, text: string): void {
  const lost = glossary.find((term) => original.includes(term) && !text.includes(term))
  if (lost !== undefined)
    throw fieldError('invalid_request', field, `“${lost}” is in the glossary: it is never translated.`)
}
