import { type Collection, Prisma } from '../../../generated/prisma/client.ts'
import type { Output } from '../../platform/api/endpoint.ts'
import type { revealCollection as endpoint } from '../../platform/api/reveals.ts'
import { recordAudit } from '../../records/audit/record-audit.ts'
import { type Context, inTransaction } from '../../platform/auth/context.ts'
import { AppError } from '../../core/errors.ts'
import { unseal } from '../../core/secrets.ts'
import { queueItemImages } from '../../records/media/queue-item-image.ts'
import { refreshMetadata } from '../../orders/refresh-metadata.ts'
import { lockCollection } from './lock-collection.ts'
import { type Content, listContents, newSeed } from './reveal.ts'
import { adminCollectionOf } from './show-collection.ts'
import { provenanceOf, REVEAL_ALGORITHM, shuffle } from './shuffle.ts'

/** The facts that anyone needs, with the seed, to repeat the shuffle. */
export type RevealProof = {
  algorithm: string
  contents: string[]
  tokens: { token_id: string; content_hash: string }[]
}

/**
 * Shuffles the contents of a collection's locked items by the committed seed and makes them public. Item ids, token ids
 * and commitments don't change. Throws `reveal_impossible` and `already_revealed`.
 */
export const revealCollection = (ctx: Context, id: string): Promise<Output<typeof endpoint>> =>
  inTransaction(ctx, async (tx) => {
    // Lock order: items by id, then their collection, as everywhere units are taken.
    await tx.sql(Prisma.sql`
      SELECT count(*) FROM (
        SELECT 1 FROM items WHERE collection_id = ${id}::uuid AND organization_id = ${tx.organizationId}::uuid
        ORDER BY id FOR UPDATE) locked`)
    const before = await lockCollection(tx, id)
    const contents = await listContents(tx, id)
    await assertRevealable(tx, before, contents)

    const { seed, commitment } = seedOf(before)
    const hashes = contents.map(({ hash }) => hash)
    const provenance = provenanceOf(hashes)
    const order = shuffle(contents.length, seed, provenance)
    await moveContents(tx, id, contents, order)
    const proof: RevealProof = {
      algorithm: REVEAL_ALGORITHM,
      contents: hashes,
      tokens: contents.map(({ tokenId }, at) => ({ token_id: tokenId, content_hash: hashes[order[at]!]! })),
    }
    const after = await tx.db.collection.update({
      where: { id },
      data: {
        revealedAt: tx.now(),
        revealCommitment: commitment,
        revealProvenance: provenance,
        revealedSeed: seed,
      },
    })
    await tx.db.revealProof.create({ data: { collectionId: id, organizationId: tx.organizationId, proof } })
    await refreshMetadata(tx, after, { from: contents[0]!.tokenId, to: contents.at(-1)!.tokenId })
    await recordAudit(tx, {
      action: 'collection.revealed',
      subject: { type: 'collection', id },
      after: { items: contents.length, commitment, provenance },
    })
    return adminCollectionOf(tx, after)
  })

async function assertRevealable(
  tx: Context,
  { id, revealStrategy, revealedAt }: Collection,
  contents: readonly Content[],
): Promise<void> {
  if (revealStrategy !== 'DELAYED')
    throw new AppError('reveal_impossible', 'Nothing of this collection is hidden: its reveal_strategy is INSTANT.')
  if (revealedAt)
    throw new AppError('already_revealed', 'This collection is revealed already. What each item got stays.')
  const unlocked = await tx.db.item.count({ where: { collectionId: id, lockedAt: null } })
  if (unlocked > 0)
    throw new AppError(
      'reveal_impossible',
      `${unlocked === 1 ? 'One item is' : `${unlocked} items are`} not locked: lock or delete what isn’t, then reveal.`,
      { extra: { unlocked } },
    )
  if (contents.length === 0)
    throw new AppError('reveal_impossible', 'There is nothing to reveal yet: make items and lock them.')
}

/** The collection's seed; a new one for collections created before seeds existed. */
function seedOf({ id, revealSeed, revealCommitment }: Collection): { seed: string; commitment: string } {
  if (revealSeed && revealCommitment)
    return { seed: unseal<string>('reveal', id, revealSeed), commitment: revealCommitment }
  const created = newSeed(id)
  return { seed: unseal<string>('reveal', id, created.revealSeed), commitment: created.revealCommitment }
}

/**
 * Gives each item the contents of another in one statement, which reads the rows as they were before. Its collection is
 * named so that PostgreSQL doesn't read all items of the organization.
 */
async function moveContents(
  tx: Context,
  collectionId: string,
  contents: readonly Content[],
  order: readonly number[],
): Promise<void> {
  const sources = contents.map((_, at) => contents[order[at]!]!)
  await tx.sql(Prisma.sql`
    UPDATE items SET attributes = source.attributes, translations = source.translations,
      item_type_id = source.item_type_id, image_source = source.image_source, image_cid = source.image_cid,
      image_file = source.image_file, updated_at = ${tx.now()}
    FROM unnest(${contents.map(({ id }) => id)}::uuid[], ${sources.map(({ id }) => id)}::uuid[])
      AS moves (item_id, source_id)
    JOIN items source ON source.id = moves.source_id AND source.collection_id = ${collectionId}::uuid
    WHERE items.id = moves.item_id AND items.collection_id = ${collectionId}::uuid
      AND items.organization_id = ${tx.organizationId}::uuid`)
  // An image that isn't stored yet is being fetched for another item: fetch it again for the new one.
  await queueItemImages(
    tx,
    sources.flatMap(({ imageUrl, imageFile }, at) =>
      imageFile === null ? { id: contents[at]!.id, attributes: { image_url: imageUrl } } : [],
    ),
  )
}
