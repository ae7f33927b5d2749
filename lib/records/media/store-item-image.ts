import { Prisma } from '../../../generated/prisma/client.ts'
import { type Context, inTransaction } from '../../platform/auth/context.ts'
import { log } from '../../core/log.ts'
import { FetchRefused } from '../../ports/storage/storage.ts'
import { stemOf } from './media-urls.ts'
import { isImageInvalid } from './render-image.ts'
import { recordFile, storeImage } from './store-image.ts'

/** Fetches and stores our copy of an item's image, once, so that viewers of the item never load it from its source. */
export async function storeItemImage(
  ctx: Context,
  { item_id, source }: { item_id: string; source: string },
): Promise<void> {
  const item = await ctx.db.item.findFirst({ where: { id: item_id } })
  const given = (item?.attributes as Record<string, unknown> | undefined)?.image_url
  if (!item || given !== source || item.imageSource === source) return
  try {
    await copyItemImage(ctx, item_id, source)
  } catch (error) {
    // The source permanently has no usable image. Where its server doesn't answer, the job tries again.
    if (!(error instanceof FetchRefused || isImageInvalid(error))) throw error
    log.info({ reason: error.message }, 'An image is not stored.')
  }
}

/**
 * Makes our copy of an item's image from what its source gives now. Throws FetchRefused, `image_invalid`, and an Error
 * where its server doesn't answer.
 */
export async function copyItemImage(ctx: Context, itemId: string, source: string): Promise<void> {
  const bytes = await ctx.ports.fetcher.fetchImage(source)
  const image = await storeImage(ctx, { bytes, name: nameIn(source), still: true })
  await inTransaction(ctx, async (tx) => {
    const file = stemOf(await recordFile(tx, image))
    await tx.sql(Prisma.sql`
      UPDATE items SET image_source = ${source}, image_cid = ${image.cid}, image_file = ${file},
        updated_at = ${tx.now()}
      WHERE id = ${itemId}::uuid AND organization_id = ${tx.organizationId}::uuid
        AND attributes->>'image_url' = ${source}
        AND (image_source, image_file) IS DISTINCT FROM (${source}, ${file})`)
  })
}

/** The file's name at its source: the last part of the URL's path. */
function nameIn(source: string): string | null {
  const last = new URL(source).pathname.split('/').at(-1) ?? ''
  return /^[\w.%-]{1,200}$/.test(last) ? last : null
}
