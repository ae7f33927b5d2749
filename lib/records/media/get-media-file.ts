import type { Context } from '../../platform/auth/context.ts'
import { notFound } from '../../core/errors.ts'
import { mediaFileOf } from './show-media.ts'

export async function getMediaFile(ctx: Context, id: string) {
  const row = await ctx.db.mediaFile.findFirst({ where: { id } })
  if (!row) throw notFound()
  return mediaFileOf(row, ctx.ports.addresses.origin)
}
