import { randomBytes } from 'node:crypto'
import { type Collection, Prisma } from '../../../generated/prisma/client.ts'
import type { Context } from '../../platform/auth/context.ts'
import { AppError } from '../../core/errors.ts'
import { seal } from '../../core/secrets.ts'
import { commitmentOf, contentHashOf, provenanceOf } from './shuffle.ts'

/** Nobody but its organization may know yet what a collection's items hold. */
export const isHidden = (collection: Pick<Collection, 'revealStrategy' | 'revealedAt'>): boolean =>
  collection.revealStrategy === 'DELAYED' && collection.revealedAt === null

/** A new seed, sealed, and the commitment to it. Nobody sees the seed before the reveal. */
export function newSeed(collectionId: string): { revealCommitment: string; revealSeed: Uint8Array<ArrayBuffer> } {
  const seed = randomBytes(32).toString('hex')
  return { revealCommitment: commitmentOf(seed), revealSeed: new Uint8Array(seal('reveal', collectionId, seed)) }
}

/** A collection's row for the audit log: neither the seed nor what is long. */
export function auditedOf<R extends Partial<Collection>>(row: R): Omit<R, 'revealSeed' | 'revealProof'> {
  const { revealSeed: _seed, revealProof: _proof, ...rest } = row
  return rest
}

export type Content = Pick<
  Prisma.ItemGetPayload<object>,
  'id' | 'attributes' | 'itemTypeId' | 'imageSource' | 'imageCid' | 'imageFile'
> & { tokenId: string }

/** What the locked items of a collection hold, in the order of their token ids. */
export async function listContents(tx: Context, collectionId: string): Promise<Content[]> {
  const select = {
    id: true,
    tokenId: true,
    attributes: true,
    itemTypeId: true,
    imageSource: true,
    imageCid: true,
    imageFile: true,
  } as const
  const rows = await tx.db.item.findMany({ where: { collectionId, lockedAt: { not: null } }, select })
  return rows
    .map((row) => ({ ...row, tokenId: row.tokenId! }))
    .sort((a, b) => (BigInt(a.tokenId) < BigInt(b.tokenId) ? -1 : 1))
}

/** Writes down what a hidden collection's locked items hold now, as one hash that everybody sees. Call it with the collection locked. */
export async function recordProvenance(tx: Context, collection: Collection): Promise<void> {
  if (!isHidden(collection)) return
  const contents = await listContents(tx, collection.id)
  await tx.db.collection.update({
    where: { id: collection.id },
    data: { revealProvenance: provenanceOf(contents.map(({ attributes }) => contentHashOf(attributes))) },
  })
}

/**
 * From the first promise on, what is behind a hidden collection stays as it is: whoever bought must find in the reveal what was
 * there when they did. Call it with the collection locked, which keeps new promises waiting.
 */
export async function assertNoCommitments(tx: Context, collection: Collection, doing: string): Promise<void> {
  if (!isHidden(collection)) return
  const [promised] = await tx.sql(Prisma.sql`
    SELECT 1 FROM holds WHERE collection_id = ${collection.id}::uuid AND state <> 'RELEASED'
    UNION ALL SELECT 1 FROM items WHERE collection_id = ${collection.id}::uuid AND minted > 0 LIMIT 1`)
  if (promised)
    throw new AppError(
      'contents_fixed',
      `Items of this collection are offered, promised or minted unseen: until the reveal, ${doing}.`,
    )
}
