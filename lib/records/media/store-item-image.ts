import { Prisma } from '../../../generated/prisma/client.ts'
import { type Context, inTransaction } from '../../platform/auth/context.ts'
import { AppError } from '../../core/errors.ts'
import { log } from '../../core/log.ts'
import { FetchRefused } from '../../ports/storage/storage.ts'
import { type StoredImage, recordFile, storeImage } from './store-image.ts'

/** Fetches and stores our copy of an item's image, once, so that viewers of the item never load it from its source. */
export async function storeItemImage(
  ctx: Context,
  { item_id, source }: { item_id: string; source: string },
): Promise<void> {
  const item = await ctx.db.item.findFirst({ where: { id: item_id } })
  const given = (item?.attributes as Record<string, unknown> | undefined)?.image_url
  if (!item || given !== source || item.imageSource === source) return
  const image = await fetchCopy(ctx, source)
  if (!image) return

  await inTransaction(ctx, async (tx) => {
    await recordFile(tx, image)
    await tx.sql(Prisma.sql`
      UPDATE items SET image_source = ${source}, image_cid = ${image.cid}, image_file = ${image.cid}, updated_at = ${tx.now()}
      WHERE id = ${item_id}::uuid AND organization_id = ${tx.organizationId}::uuid AND attributes->>'image_url' = ${source}`)
  })
}

/** null when the source permanently has no usable image. Throws when the server doesn't answer; the job then tries again. */
async function fetchCopy(ctx: Context, source: string): Promise<StoredImage | null> {
  try {
    return await storeImage(ctx, { bytes: await ctx.ports.fetcher.fetchImage(source), name: nameIn(source) })
  } catch (error) {
    const refused = error instanceof FetchRefused || (error instanceof AppError && error.code === 'image_invalid')
    if (!refused) throw error
    log.info({ reason: error.message }, 'An image is not stored.')
    return null
  }
}

/** The file's name at its source: the last part of the URL's path. */
function nameIn(source: string): string | null {
  const last = new URL(source).pathname.split('/').at(-1) ?? ''
  return /^[\w.%-]{1,200}$/.test(last) ? last : null
}
