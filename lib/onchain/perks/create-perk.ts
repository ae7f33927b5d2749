import { Prisma, type Perk } from '../../../generated/prisma/client.ts'
import { isHidden } from '../../catalog/collections/reveal.ts'
import { AppError, fieldError, unknownId } from '../../core/errors.ts'
import { newId } from '../../core/id.ts'
import type { Upload } from '../../core/wire.ts'
import type { Input, Output } from '../../platform/api/endpoint.ts'
import { type createPerk as endpoint, MAX_PERK_FILE_BYTES } from '../../platform/api/perks.ts'
import { type Context, inTransaction } from '../../platform/auth/context.ts'
import { recordAudit } from '../../records/audit/record-audit.ts'
import { fileNameIn } from '../../records/media/upload-media.ts'
import { newPrintKey, type PerkContent, sealPerk } from './perk-content.ts'
import { perkOf } from './show-perk.ts'
import { writeCodes } from './write-codes.ts'
import { writeFile } from './write-file.ts'

type Body = Input<typeof endpoint>['body']

/** Perks that an item has at most, and a collection besides those of its items. */
const MAX_PERKS = 50

/**
 * Makes a perk of an item, or of all items of a collection. Throws `not_found`, and `conflict` beyond what an item or a
 * perk can have.
 */
export async function createPerk(ctx: Context, body: Body): Promise<Output<typeof endpoint>> {
  const given = contentIn(body)
  return inTransaction(ctx, async (tx) => {
    const place = await lockPlace(tx, body)
    if ((await tx.db.perk.count({ where: place })) >= MAX_PERKS)
      throw new AppError('conflict', `There are ${MAX_PERKS} perks already. Delete one first.`)
    const id = newId()
    const { kind, content } = given
    const made = await tx.db.perk.create({
      data: {
        id,
        organizationId: tx.organizationId,
        ...place,
        kind,
        title: body.title,
        isPublic: body.is_public ?? true,
        content: sealPerk(id, content),
        ...(given.kind === 'FILE' && { fileName: given.name, fileBytes: given.bytes.length }),
        createdAt: tx.now(),
      },
    })
    if (given.kind === 'FILE') await writeFile(tx, id, given.bytes)
    const row = given.kind === 'CODES' ? (await writeCodes(tx, id, given.content.printKey, given.codes)).perk : made
    await recordAudit(tx, { action: 'perk.created', subject: { type: 'perk', id }, after: row })
    return perkOf(row)
  })
}

type PerkBody = { kind: Perk['kind']; content: PerkContent } & (
  | { kind: 'TEXT' | 'LINK' }
  | { kind: 'FILE'; name: string; bytes: Uint8Array }
  | { kind: 'CODES'; content: { printKey: string }; codes: readonly string[] }
)

/** The kind and content of a perk, by the one field that is given. Throws `invalid_request` unless exactly one is. */
function contentIn({ text, url, file, codes }: Body): PerkBody {
  if ([text, url, file, codes].filter((part) => part != null).length !== 1)
    throw fieldError('invalid_request', 'text', 'Give one of text, url, file and codes.', 'exactly_one')
  if (text != null) return { kind: 'TEXT', content: { text } }
  if (url != null) return { kind: 'LINK', content: { url } }
  if (codes != null) return { kind: 'CODES', content: { printKey: newPrintKey() }, codes }
  return fileIn(file!)
}

function fileIn({ name, bytes }: Upload): PerkBody {
  if (bytes.length === 0) throw fieldError('invalid_request', 'file', 'This file is empty.')
  if (bytes.length > MAX_PERK_FILE_BYTES)
    throw fieldError('invalid_request', 'file', `A perk’s file has at most ${MAX_PERK_FILE_BYTES / 1024 / 1024} MiB.`)
  return { kind: 'FILE', content: {}, name: fileNameIn(name) ?? 'file', bytes }
}

/** The item or the collection, locked so that its perks are counted one after the other. */
async function lockPlace(
  tx: Context,
  { collection_id: collectionId, item_id: itemId }: Body,
): Promise<{ collectionId: string; itemId: string | null }> {
  if ((collectionId == null) === (itemId == null))
    throw fieldError('invalid_request', 'item_id', 'Give either item_id or collection_id.', 'exactly_one')
  if (itemId == null) {
    const [row] = await tx.sql(
      Prisma.sql`SELECT 1 FROM collections
        WHERE id = ${collectionId}::uuid AND organization_id = ${tx.organizationId}::uuid FOR NO KEY UPDATE`,
    )
    if (!row) throw unknownId('collection_id', 'collection')
    return { collectionId: collectionId!, itemId: null }
  }
  await tx.sql(
    Prisma.sql`SELECT 1 FROM items WHERE id = ${itemId}::uuid
        AND organization_id = ${tx.organizationId}::uuid FOR NO KEY UPDATE`,
  )
  const item = await tx.db.item.findFirst({
    where: { id: itemId },
    select: { collectionId: true, collection: { select: { revealStrategy: true, revealedAt: true } } },
  })
  if (!item) throw unknownId('item_id', 'item')
  if (isHidden(item.collection))
    throw new AppError(
      'conflict',
      'What this item is isn’t revealed yet, and a perk of its own would tell. Reveal the collection first, ' +
        'or add the perk to the collection.',
    )
  return { collectionId: item.collectionId, itemId }
}
