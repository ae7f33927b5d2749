import type { MediaFile } from '../../../generated/prisma/client.ts'
import { recordAudit } from '../audit/record-audit.ts'
import { type Context, inTransaction } from '../../platform/auth/context.ts'
import { cidOf } from '../../core/cid.ts'
import { newId } from '../../core/id.ts'
import { pinMedia } from '../../platform/jobs/jobs.ts'
import { enqueue } from '../../platform/jobs/queue.ts'
import { renderImage } from './render-image.ts'
import { fileNameOf, SIZES } from './media-urls.ts'
import { mediaFileOf } from './show-media.ts'

/** What is kept of an image, before its record is written. */
export type StoredImage = { cid: string; name: string | null; width: number; height: number; bytes: number }

/** Draws an image and stores its four sizes. Repeating it changes nothing: names are made from content. Throws image_invalid. */
export async function storeImage(ctx: Context, file: { bytes: Uint8Array; name: string | null }): Promise<StoredImage> {
  const { copies, width, height } = await renderImage(file.bytes)
  const cid = await cidOf(copies.original)
  for (const size of SIZES) await ctx.ports.storage.put(fileNameOf(cid, size), copies[size], 'image/webp')
  return { cid, name: file.name, width, height, bytes: copies.original.length }
}

/** The organization's record of a stored file: one for each CID, whoever comes first. It is pinned, where there is a service that does. */
export const recordFile = (ctx: Context, kept: StoredImage): Promise<MediaFile> =>
  inTransaction(ctx, async (tx) => {
    const [made] = await tx.db.mediaFile.createManyAndReturn({
      data: [{ id: newId(), organizationId: tx.organizationId, ...kept, createdAt: tx.now() }],
      skipDuplicates: true,
    })
    const row = made ?? (await tx.db.mediaFile.findFirstOrThrow({ where: { cid: kept.cid } }))
    if (made)
      await recordAudit(tx, {
        action: 'media.uploaded',
        subject: { type: 'media', id: row.id },
        after: mediaFileOf(row, tx.ports.addresses.origin),
      })
    return tx.ports.pinning ? queuePinning(tx, row) : row
  })

/** One that failed before is tried again. */
async function queuePinning(tx: Context, row: MediaFile): Promise<MediaFile> {
  const { count } = await tx.db.mediaFile.updateMany({
    where: { id: row.id, pinning: { in: ['NONE', 'FAILED'] } },
    data: { pinning: 'PENDING', pinFailure: null },
  })
  if (count > 0) await enqueue(tx, pinMedia, { organization_id: tx.organizationId, media_id: row.id }, { key: row.id })
  return count > 0 ? { ...row, pinning: 'PENDING', pinFailure: null } : row
}
