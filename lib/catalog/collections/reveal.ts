import { randomBytes } from 'node:crypto'
import type { Collection, Item } from '../../../generated/prisma/client.ts'
import type { Context } from '../../platform/auth/context.ts'
import { seal } from '../../core/secrets.ts'
import { commitmentOf, contentHashOf, provenanceOf } from './shuffle.ts'

/** Whether a delayed reveal is still pending: only the organization may see the items' contents. */
export const isHidden = (collection: Pick<Collection, 'revealStrategy' | 'revealedAt'>): boolean =>
  collection.revealStrategy === 'DELAYED' && collection.revealedAt === null

/** A new sealed seed and its public commitment. The seed is shown to nobody before the reveal. */
export function newSeed(collectionId: string): { revealCommitment: string; revealSeed: Uint8Array<ArrayBuffer> } {
  const seed = randomBytes(32).toString('hex')
  return { revealCommitment: commitmentOf(seed), revealSeed: new Uint8Array(seal('reveal', collectionId, seed)) }
}

/** A collection's row for the audit log, without the sealed seed. */
export function auditedOf<R extends Partial<Collection>>(row: R): Omit<R, 'revealSeed'> {
  const { revealSeed: _seed, ...rest } = row
  return rest
}

type Selected = Pick<Item, 'id' | 'tokenId' | 'attributes' | 'itemTypeId' | 'imageSource' | 'imageCid' | 'imageFile'>
export type Content = Selected & { tokenId: string; hash: string }

/** Read so many at a time: a process answers others between two pages. */
const PAGE = 1_000

/** The contents of a collection's locked items with their hashes, ordered by token id. */
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
  const contents: Content[] = []
  for (let after: string | null = null; ;) {
    const rows: Selected[] = await tx.db.item.findMany({
      where: { collectionId, lockedAt: { not: null }, ...(after && { id: { gt: after } }) },
      orderBy: { id: 'asc' },
      take: PAGE,
      select,
    })
    for (const row of rows) contents.push({ ...row, tokenId: row.tokenId!, hash: contentHashOf(row.attributes) })
    if (rows.length < PAGE) break
    after = rows.at(-1)!.id
  }
  return contents.sort((a, b) => (BigInt(a.tokenId) < BigInt(b.tokenId) ? -1 : 1))
}

/** Updates the public hash of a hidden collection's contents. Call it with the collection locked. */
export async function recordProvenance(tx: Context, collection: Collection): Promise<void> {
  if (!isHidden(collection)) return
  const contents = await listContents(tx, collection.id)
  await tx.db.collection.update({
    where: { id: collection.id },
    data: { revealProvenance: provenanceOf(contents.map(({ hash }) => hash)) },
  })
}
