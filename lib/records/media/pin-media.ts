import type { Context } from '../../platform/auth/context.ts'
import { log } from '../../core/log.ts'
import { PinRefused } from '../../ports/storage/storage.ts'
import { fileNameOf, stemOf } from './media-urls.ts'

/**
 * Pins a file's original. The service must report the same CID as ours. Throws when it doesn't answer; the job then
 * tries again.
 */
export async function pinMedia(ctx: Context, { media_id }: { media_id: string }): Promise<void> {
  const { pinning, storage } = ctx.ports
  const file = await ctx.db.mediaFile.findFirst({ where: { id: media_id, pinning: 'PENDING' } })
  if (!file || !pinning) return
  const fileName = fileNameOf(stemOf(file), 'original')
  const stored = await storage.get(fileName)
  if (!stored) return setPinResult(ctx, media_id, 'The file is no longer in our storage.')
  try {
    const cid = await pinning.pin({ name: file.name ?? fileName, bytes: stored.bytes })
    await setPinResult(
      ctx,
      media_id,
      cid === file.cid ? null : `The pinning service calls this file ${cid}; its CID is ${file.cid}.`,
    )
  } catch (error) {
    if (!(error instanceof PinRefused)) {
      await ctx.db.mediaFile.updateMany({
        where: { id: media_id, pinning: 'PENDING' },
        data: { pinFailure: 'The pinning service does not answer; it is asked again.' },
      })
      throw error
    }
    log.warn({ mediaId: media_id, reason: error.message }, 'A file is not pinned.')
    await setPinResult(ctx, media_id, error.message)
  }
}

const setPinResult = async (ctx: Context, id: string, failure: string | null): Promise<void> =>
  void (await ctx.db.mediaFile.updateMany({
    where: { id, pinning: 'PENDING' },
    data: { pinning: failure === null ? 'PINNED' : 'FAILED', pinFailure: failure },
  }))
