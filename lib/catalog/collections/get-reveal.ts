import type { Output } from '../../platform/api/endpoint.ts'
import type { getReveal as endpoint } from '../../platform/api/reveals.ts'
import { asDeployed } from '../../platform/auth/authenticate.ts'
import type { Context } from '../../platform/auth/context.ts'
import { notFound } from '../../core/errors.ts'
import type { RevealProof } from './reveal-collection.ts'
import { revealOf } from './show-collection.ts'

/**
 * Gives the facts that anyone needs to verify a delayed reveal. Private collections have them too: their tokens are on
 * a public chain. Throws `not_found`.
 */
export async function getReveal(ctx: Context, collectionId: string): Promise<Output<typeof endpoint>> {
  const { db } = asDeployed(ctx)
  const row = await db.collection.findFirst({ where: { id: collectionId } })
  const reveal = row && revealOf(ctx, row)
  if (!reveal) throw notFound()
  const stored = row.revealedAt ? await db.revealProof.findFirst({ where: { collectionId } }) : null
  const proof = stored && (stored.proof as RevealProof)
  return {
    ...reveal,
    algorithm: proof?.algorithm ?? null,
    contents: proof?.contents ?? null,
    tokens: proof?.tokens ?? null,
  }
}
