import { createHash } from 'node:crypto'
import { base32nopad } from '@scure/base'
import sharp from 'sharp'
import { Prisma } from '../../generated/prisma/client.ts'
import type { Context } from '../auth/context.ts'
import { log } from '../core/log.ts'
import { FetchRefused } from '../storage/storage.ts'

/** Longest side in pixels. */
const SIZES = { original: 8192, full: 2048, thumb: 600, tiny: 64 } as const
const MOST_PIXELS = 100_000_000

/** Makes our copy of an item's image, once. Nobody who looks at the item ever calls the place it came from. */
export async function keepImage(ctx: Context, { item_id, source }: { item_id: string; source: string }): Promise<void> {
  const item = await ctx.db.item.findFirst({ where: { id: item_id } })
  const given = (item?.attributes as Record<string, unknown> | undefined)?.image_url
  if (!item || given !== source || item.imageSource === source) return
  const copies = await copiesOf(ctx, source)
  if (!copies) return

  const cid = cidOf(copies.original)
  for (const [size, bytes] of Object.entries(copies)) await ctx.ports.storage.put(`${cid}-${size}.webp`, bytes, 'image/webp')
  await ctx.sql(Prisma.sql`
    UPDATE items SET image_source = ${source}, image_cid = ${cid}, image_file = ${cid}, updated_at = ${ctx.now()}
    WHERE id = ${item_id}::uuid AND organization_id = ${ctx.organizationId}::uuid AND attributes->>'image_url' = ${source}`)
}

type Copies = Record<keyof typeof SIZES, Uint8Array>

/** null: there is no image to be had from there, now or later. A server that doesn't answer is an error, and tried again. */
async function copiesOf(ctx: Context, source: string): Promise<Copies | null> {
  try {
    return await encodeCopies(await ctx.ports.fetcher.fetchImage(source))
  } catch (error) {
    if (!(error instanceof FetchRefused)) throw error
    log.info({ reason: error.message }, 'An image is not kept.')
    return null
  }
}

/** The image in four sizes, drawn anew: no metadata, no script, no foreign format survives. */
export async function encodeCopies(bytes: Uint8Array): Promise<Copies> {
  const draw = (longest: number) =>
    sharp(bytes, { limitInputPixels: MOST_PIXELS, failOn: 'error', density: 144 })
      .rotate()
      .resize({ width: longest, height: longest, fit: 'inside', withoutEnlargement: true })
      .webp({ quality: 88 })
      .toBuffer()
  try {
    const original = await draw(SIZES.original)
    const [full, thumb, tiny] = [await draw(SIZES.full), await draw(SIZES.thumb), await draw(SIZES.tiny)]
    return { original, full, thumb, tiny }
  } catch (error) {
    throw new FetchRefused('This is not an image that can be read.', { cause: error })
  }
}

/** CIDv1 of one raw block: base32 of version, codec and SHA-256. */
export function cidOf(bytes: Uint8Array): string {
  const digest = createHash('sha256').update(bytes).digest()
  return `b${base32nopad.encode(Buffer.concat([Buffer.from([0x01, 0x55, 0x12, 0x20]), digest])).toLowerCase()}`
}
