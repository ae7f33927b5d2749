import { randomBytes } from 'node:crypto'
import { type Collection, Prisma } from '../../../generated/prisma/client.ts'
import type { Context } from '../../platform/auth/context.ts'
import { seal } from '../../core/secrets.ts'
import { columns } from '../../db/columns.ts'
import { type Sized, limitBytes } from '../../db/limit-bytes.ts'
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

/** `imageUrl`: whatever the attributes say; `imageFile`: null where the image isn't stored yet. */
export type Content = { id: string; tokenId: string; hash: string; imageUrl: unknown; imageFile: string | null }

/** Read so many at a time: a process answers others between two pages. */
const PAGE = 1_000

const CONTENT = Prisma.raw(columns('items', 'Item', ['id', 'tokenId', 'attributes', 'imageFile']))

/** The contents of a collection's locked items with their hashes, ordered by token id. */
export async function listContents(tx: Context, collectionId: string): Promise<Content[]> {
  type Row = { id: string; tokenId: string; attributes: Record<string, unknown>; imageFile: string | null } & Sized
  const contents: Content[] = []
  for (let after = Prisma.empty, isLast = false; !isLast;) {
    const rows = await tx.sql<Row>(
      limitBytes(
        Prisma.sql`SELECT ${CONTENT} FROM items
          WHERE collection_id = ${collectionId}::uuid AND locked_at IS NOT NULL ${after}
          ORDER BY items.id LIMIT ${PAGE}`,
        { json: 'attributes', key: 'id', most: PAGE },
      ),
    )
    for (const { id, tokenId, attributes, imageFile } of rows)
      contents.push({ id, tokenId, hash: contentHashOf(attributes), imageUrl: attributes.image_url, imageFile })
    const last = rows.at(-1)
    isLast = last?.isLast ?? true
    after = Prisma.sql`AND id > ${last?.id}::uuid`
  }
  // Decimal numbers without leading zeros.
  return contents.sort((a, b) => a.tokenId.length - b.tokenId.length || (a.tokenId < b.tokenId ? -1 : 1))
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
