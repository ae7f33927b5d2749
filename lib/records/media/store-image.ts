import type { MediaFile } from '../../../generated/prisma/client.ts'
import { recordAudit } from '../audit/record-audit.ts'
import { type Context, inTransaction } from '../../platform/auth/context.ts'
import { cidOf } from '../../core/cid.ts'
import { crashPoint } from '../../core/crash.ts'
import { newId } from '../../core/id.ts'
import { pinMedia } from '../../platform/jobs/jobs.ts'
import { enqueue } from '../../platform/jobs/queue.ts'
import { renderImage } from './render-image.ts'
import { CONTENT_TYPES, fileNameOf, type Kind, SIZES, stemOf } from './media-urls.ts'
import { mediaFileOf } from './show-media.ts'

/** A stored image, before its row is written. */
export type StoredImage = { cid: string; kind: Kind; name: string | null; width: number; height: number; bytes: number }

/**
 * Renders an image and stores its four sizes. Safe to repeat: file names come from the content. `still`: of a picture
 * that moves in a way that can't be kept, a still one is stored. Throws `image_invalid`, and `movement_lost` unless
 * `still`.
 */
export async function storeImage(
  ctx: Context,
  file: { bytes: Uint8Array; name: string | null; still: boolean },
): Promise<StoredImage> {
  const { copies, kind, width, height } = await renderImage(file.bytes, file)
  const cid = await cidOf(copies.original)
  for (const size of SIZES) {
    const name = fileNameOf(stemOf({ cid, kind }), size)
    await ctx.ports.storage.put(name, copies[size], CONTENT_TYPES[size === 'original' ? kind : 'webp'])
  }
  crashPoint('image_stored')
  return { cid, kind, name: file.name, width, height, bytes: copies.original.length }
}

/**
 * Records a stored file for the organization, once per CID, and queues its pinning where a pinning service is
 * configured.
 */
export const recordFile = (ctx: Context, image: StoredImage): Promise<MediaFile> =>
  inTransaction(ctx, async (tx) => {
    const [created] = await tx.db.mediaFile.createManyAndReturn({
      data: [{ id: newId(), organizationId: tx.organizationId, ...image, createdAt: tx.now() }],
      skipDuplicates: true,
    })
    const row = created ?? (await tx.db.mediaFile.findFirstOrThrow({ where: { cid: image.cid } }))
    if (created)
      await recordAudit(tx, {
        action: 'media.uploaded',
        subject: { type: 'media', id: row.id },
        after: mediaFileOf(row, tx.ports.addresses.origin),
      })
    return tx.ports.pinning ? queuePinning(tx, row) : row
  })

/** Queues a file that isn't pinned yet, or whose pinning failed before. */
async function queuePinning(tx: Context, row: MediaFile): Promise<MediaFile> {
  const { count } = await tx.db.mediaFile.updateMany({
    where: { id: row.id, pinning: { in: ['NONE', 'FAILED'] } },
    data: { pinning: 'PENDING', pinFailure: null },
  })
  if (count > 0) await enqueue(tx, pinMedia, { organization_id: tx.organizationId, media_id: row.id }, { key: row.id })
  return count > 0 ? { ...row, pinning: 'PENDING', pinFailure: null } : row
}
